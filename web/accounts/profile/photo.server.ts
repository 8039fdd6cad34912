import { type RouterContextProvider, redirect } from 'react-router'
import { choosePhoto } from '#shared/accounts/own.ts'
import { removeFile, uploadFile } from '#shared/files/endpoints.ts'
import { attempt, type CallEndpoint } from '#web/lib/visitor.ts'
import { failed } from './submitted-form.server.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** Stores the photo, sets it as the user's photo and removes the previous one. */
export async function changePhoto(context: Context, form: FormData) {
  const file = form.get('file')
  const { error } = await attempt(context, async (call) => {
    const photo = file instanceof File && file.size > 0 ? file : undefined
    const body = photo && { read: async () => ({ bytes: await photo.bytes(), name: photo.name }) }
    const { id } = await call(uploadFile, { query: { bucket: 'avatars' }, body: body as never })
    await showInstead(call, id)
  })
  if (error) return failed('photo', error, { values: {}, matches: undefined })
  throw redirect('/dashboard/profile?done=photo#photo')
}

export async function removePhoto(context: Context) {
  const { error } = await attempt(context, (call) => showInstead(call, null))
  if (error) return failed('photo', error, { values: {}, matches: undefined })
  throw redirect('/dashboard/profile?done=no-photo#photo')
}

async function showInstead(call: CallEndpoint, file_id: string | null) {
  const { replaced_file_id: id } = await call(choosePhoto, { body: { file_id } })
  if (id) await call(removeFile, { params: { id } })
}
