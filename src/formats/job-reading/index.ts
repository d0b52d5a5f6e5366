export type {
  DescribedJob,
  JobReading,
  JobSurroundings,
  ReadJobs,
  Translation,
} from "./job-reading.ts";
