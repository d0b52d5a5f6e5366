/** Operations on uploads, as in `operations.ts`. The body of a piece is its bytes. */
import type { UploadPieceQuery, UploadView } from "../contract/index.ts";
import { type Items, look, of, put, remove } from "./operation-shapes.ts";

/** Table of operations. */
export const UPLOAD_OPERATIONS = {
  listUploads: { ...look, path: "/uploads", answer: of<Items<UploadView>>() },
  getUpload: { ...look, path: "/uploads/:sha256", answer: of<UploadView>() },
  sendUpload: {
    ...put,
    path: "/uploads/:sha256",
    query: of<UploadPieceQuery>(),
    answer: of<UploadView>(),
  },
  removeUpload: { ...remove, path: "/uploads/:sha256", answer: of<UploadView>() },
} as const;
