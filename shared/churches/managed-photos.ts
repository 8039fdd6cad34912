import * as z from 'zod'
import { ById, Deleted } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { Upload } from '#shared/files/upload.ts'
import { text } from '#shared/text.ts'
import { manages } from './managed.ts'

export const ManagedPhoto = z.object({
  file_id: z.uuid(),
  url: z.string().describe('For signed-in users'),
  description: z.string(),
  position: z.int(),
})
export type ManagedPhoto = z.infer<typeof ManagedPhoto>

const PhotoId = z.strictObject({ id: z.uuid(), file: z.uuid() })

export const addPhoto = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales/{id}/photos',
  status: 201,
  takesFile: true,
  summary: 'Adds a photo: JPEG or PNG, re-encoded without camera metadata',
  params: ById,
  query: z.strictObject({ description: text(300).default('') }),
  body: Upload,
  response: z.object({ photo: ManagedPhoto }),
})

export const updatePhoto = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/{id}/photos/{file}',
  summary: 'Changes the description or position of a photo',
  params: PhotoId,
  body: z.strictObject({ description: text(300).optional(), position: z.int().min(0).max(1000).optional() }),
  response: z.object({ photo: ManagedPhoto }),
})

export const deletePhoto = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/locales/{id}/photos/{file}',
  summary: 'Deletes a photo and its file',
  params: PhotoId,
  response: Deleted,
})

export const getPublicPhoto = endpoint({
  method: 'GET',
  path: '/public/locales/{id}/photos/{file}',
  access: 'anyone',
  summary: 'A photo of a public locale',
  params: PhotoId,
  response: z.any().describe('The image'),
})
