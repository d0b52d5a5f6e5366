export type {
  DescribedJob,
  JobReading,
  JobSurroundings,
  ReadDag,
  ReadJobs,
  ReadNode,
  Translation,
} from "./job-reading.ts";
