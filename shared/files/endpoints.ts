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
  path: z.string().describe('Place in the own folder'),
  name: z.string(),
  content_type: z.string().describe('Of what it holds, whatever it was called'),
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
  summary: 'Keeps a file in the own folder: the bytes as they are, or one file of a form',
  query: z.strictObject({
    bucket: BucketName,
    path: FilePath.optional().describe('Made up when left out; one that is taken answers 409'),
    name: z.string().max(1_000).optional().describe('Under which it is saved again'),
  }),
  body: Upload,
  response: StoredFile,
})

export const getFile = endpoint({
  method: 'GET',
  path: '/files/{id}',
  access: 'signedIn',
  summary: 'The bytes of a file, for its owner and for those who review files of its kind',
  params: ById,
  response: z.any().describe('The file itself'),
})

export const getSignedFile = endpoint({
  method: 'GET',
  path: '/files/{id}/signed',
  access: 'anyone',
  summary: 'The bytes of a file by an address that somebody who may see it asked for',
  params: ById,
  query: z.strictObject({ until: z.coerce.number().int().min(0), signature: z.string().max(100) }),
  response: z.any().describe('The file itself'),
})

export const signFile = endpoint({
  method: 'POST',
  path: '/files/{id}/sign',
  access: 'signedIn',
  summary: 'An address of this one file that works for ten minutes, for anyone who has it',
  params: ById,
  response: z.object({ url: z.string(), expires_at: z.string() }),
})

export const listFiles = endpoint({
  method: 'GET',
  path: '/files',
  access: 'signedIn',
  summary: 'Files in the own folder, the newest first',
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
  summary: 'Another place in the own folder for an own file',
  params: ById,
  body: z.strictObject({ path: FilePath }),
  response: StoredFile,
})

export const copyFile = endpoint({
  method: 'POST',
  path: '/files/{id}/copy',
  access: 'signedIn',
  status: 201,
  summary: 'A second file with the same content in the own folder',
  params: ById,
  body: z.strictObject({ path: FilePath }),
  response: StoredFile,
})

export const removeFile = endpoint({
  method: 'DELETE',
  path: '/files/{id}',
  access: 'signedIn',
  summary: 'Removes an own file; an administrator removes any',
  params: ById,
  response: Removed,
})

export const listBuckets = endpoint({
  method: 'GET',
  path: '/files/buckets',
  access: 'manageFiles',
  summary: 'What each bucket takes, and how much lies in it',
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
