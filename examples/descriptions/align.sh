#!/bin/bash
#SBATCH --job-name=align --ntasks=4 --cpus-per-task=2
#SBATCH --mem-per-cpu=2G --time=01:30:00
#SBATCH --array=0-99%10 --output=align-%A_%a.out
#SBATCH --mail-type=END
srun ./align "part$SLURM_ARRAY_TASK_ID"
