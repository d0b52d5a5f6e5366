export { readStreamControl, readStreamOrder } from "./read.ts";
export { readS3Credentials } from "./s3-credentials.ts";
