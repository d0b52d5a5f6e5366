export { readStreamControl, readStreamOrder } from "./read.ts";
export { readS3Credentials, type S3Credentials } from "./s3-credentials.ts";
