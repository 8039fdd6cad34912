import { choosePhoto } from '#shared/accounts/own.ts'
import { removeFile, uploadFile } from '#shared/files/endpoints.ts'
import type { Submission } from '#web/lib/form-action.server.ts'
import type { CallEndpoint } from '#web/lib/visitor.ts'

const PHOTO = '/dashboard/profile#photo'

/** Stores the photo, sets it as the user's photo and removes the previous one. */
export async function changePhoto(call: CallEndpoint, { form, flash }: Submission) {
  const file = form.get('file')
  const photo = file instanceof File && file.size > 0 ? file : undefined
  const body = photo && { read: async () => ({ bytes: await photo.bytes(), name: photo.name }) }
  const { id } = await call(uploadFile, { query: { bucket: 'avatars' }, body: body as never })
  await showInstead(call, id)
  return flash(PHOTO, 'photo')
}

export async function removePhoto(call: CallEndpoint, { flash }: Submission) {
  await showInstead(call, null)
  return flash(PHOTO, 'no-photo')
}

async function showInstead(call: CallEndpoint, file_id: string | null) {
  const { replaced_file_id: id } = await call(choosePhoto, { body: { file_id } })
  if (id) await call(removeFile, { params: { id } })
}
