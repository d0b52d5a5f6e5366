/** Keys for a store that speaks S3, and where it is: a file that only its owner can read. */
import { mapping, text, usually, word } from "./shape.ts";

/** The shape of the file. */
export const s3CredentialsShape = mapping(
  {
    endpoint: text({
      description: "Address of the store, without a bucket.",
      pattern: "^https?://[^\\s/?#@]+/?$",
      examples: ["https://s3.eu-central-1.amazonaws.com"],
    }),
    region: usually("us-east-1", text({ pattern: "^[A-Za-z0-9-]{1,64}$", examples: ["eu-central-1"] })),
    style: usually(
      "path",
      word(["path", "virtual"], {
        default: "path",
        description: "path: ENDPOINT/BUCKET/KEY; virtual: the bucket is the first part of the host.",
      }),
    ),
    accessKey: text({ pattern: "^[!-~]{1,256}$" }),
    secretKey: text({ pattern: "^[!-~]{1,1024}$" }),
    sessionToken: text({ description: "Session token of temporary keys.", pattern: "^[!-~]{1,8192}$" }),
  },
  {
    required: {
      endpoint: "requests go there",
      accessKey: "requests are signed in its name",
      secretKey: "requests are signed with it",
    },
  },
);
