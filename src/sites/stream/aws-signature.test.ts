import { describe, expect, it } from "vitest";
import { encodedKey, signedHeaders } from "./aws-signature.ts";

/** The keys and the day of the examples in Amazon's description of the signature. */
const KEYS = {
  ...{ region: "us-east-1", accessKey: "AKIAIOSFODNN7EXAMPLE" },
  secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

describe("a signature of S3", () => {
  it("is that of the published example, a GET with a range", () => {
    const request = { host: "examplebucket.s3.amazonaws.com", path: "/test.txt" };
    const headers = { range: "bytes=0-9" };
    const { authorization } = signedHeaders({ ...request, headers, at: new Date("2013-05-24") }, KEYS);
    expect(authorization).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request," +
        "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date," +
        "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    );
  });

  it("covers the token of keys for a while, and holds no secret", () => {
    const request = { host: "store", path: "/a", headers: {}, at: new Date("2013-05-24") };
    const headers = signedHeaders(request, { ...KEYS, sessionToken: "for-a-while" });
    expect(headers.authorization).toContain("x-amz-date;x-amz-security-token");
    expect(JSON.stringify(headers)).not.toContain(KEYS.secretKey);
  });

  it("encodes every part of a key", () => {
    expect(encodedKey("run 7/a+b(1)*'~.gwf")).toBe("run%207/a%2Bb%281%29%2A%27~.gwf");
  });
});
