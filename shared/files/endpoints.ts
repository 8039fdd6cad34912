import * as z from 'zod'
import { ById, Removed } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { TABLE_ANSWER, TABLE_QUERY } from '#shared/table.ts'
import { BUCKET_NAMES } from './buckets.ts'
import { FilePath } from './path.ts'
import { Upload } from './upload.ts'

const BucketName = z.enum(BUCKET_NAMES)

const StoredFile = z.object({
  id: z.uuid(),
  bucket: BucketName,
  path: z.string().describe("Path in the caller's folder"),
  name: z.string(),
  content_type: z.string().describe('Detected from the content, regardless of the file name'),
  size: z.int().describe('Bytes'),
  created_at: z.string(),
})
export type StoredFile = z.infer<typeof StoredFile>

export const uploadFile = endpoint({
  method: 'POST',
  path: '/files/upload',
  also: ['/internal/uploads'],
  access: 'signedIn',
  status: 201,
  takesFile: true,
  summary: "Saves a file in the caller's folder: raw bytes or one file of a form",
  query: z.strictObject({
    bucket: BucketName,
    path: FilePath.optional().describe('Generated if left out; 409 if it is taken'),
    name: z.string().max(1_000).optional().describe('Path of the copy'),
  }),
  body: Upload,
  response: StoredFile,
})

export const getFile = endpoint({
  method: 'GET',
  path: '/files/{id}',
  access: 'signedIn',
  summary: 'Content of a file, for its owner and for reviewers of this kind of file',
  params: ById,
  response: z.any().describe('The file'),
})

export const getSignedFile = endpoint({
  method: 'GET',
  path: '/files/{id}/signed',
  access: 'anyone',
  summary: 'Content of a file by a signed URL',
  params: ById,
  query: z.strictObject({ until: z.coerce.number().int().min(0), signature: z.string().max(100) }),
  response: z.any().describe('The file'),
})

export const signFile = endpoint({
  method: 'POST',
  path: '/files/{id}/sign',
  access: 'signedIn',
  summary: 'A URL for this one file that works for ten minutes, for anyone who has it',
  params: ById,
  response: z.object({ url: z.string(), expires_at: z.string() }),
})

export const listFiles = endpoint({
  method: 'GET',
  path: '/files',
  access: 'signedIn',
  summary: "Files in the caller's folder, newest first",
  query: z.strictObject({ bucket: BucketName.optional(), page: TABLE_QUERY.page, per_page: TABLE_QUERY.per_page }),
  response: z.object({
    files: z.array(StoredFile),
    ...TABLE_ANSWER,
    used_bytes: z.int(),
    quota_bytes: z.int(),
  }),
})

export const moveFile = endpoint({
  method: 'POST',
  path: '/files/{id}/move',
  access: 'signedIn',
  summary: "Moves a file within the caller's folder",
  params: ById,
  body: z.strictObject({ path: FilePath }),
  response: StoredFile,
})

export const copyFile = endpoint({
  method: 'POST',
  path: '/files/{id}/copy',
  access: 'signedIn',
  status: 201,
  summary: "Copies a file within the caller's folder",
  params: ById,
  body: z.strictObject({ path: FilePath }),
  response: StoredFile,
})

export const removeFile = endpoint({
  method: 'DELETE',
  path: '/files/{id}',
  access: 'signedIn',
  summary: 'Deletes a file of the caller; administrators can delete any',
  params: ById,
  response: Removed,
})

export const listBuckets = endpoint({
  method: 'GET',
  path: '/files/buckets',
  access: 'manageFiles',
  summary: 'Limits and use of each bucket',
  response: z.object({
    buckets: z.array(
      z.object({
        name: BucketName,
        types: z.array(z.string()),
        max_bytes: z.int(),
        files: z.int(),
        bytes: z.int(),
      }),
    ),
  }),
})
