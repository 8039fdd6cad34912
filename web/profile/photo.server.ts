import { type RouterContextProvider, redirect } from 'react-router'
import { choosePhoto } from '#shared/accounts/own.ts'
import { removeFile, uploadFile } from '#shared/files/endpoints.ts'
import { attempt, type CallEndpoint } from '../lib/visitor.ts'
import { failed } from './posted.server.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** Keeps the picture, shows it as the photo and removes the one before. */
export async function changePhoto(context: Context, form: FormData) {
  const file = form.get('file')
  const { failure } = await attempt(context, async (call) => {
    const given = file instanceof File && file.size > 0 ? file : undefined
    const body = given && { read: async () => ({ bytes: await given.bytes(), name: given.name }) }
    const { id } = await call(uploadFile, { query: { bucket: 'avatars' }, body: body as never })
    await showInstead(call, id)
  })
  if (failure) return failed('photo', failure, { typed: {}, matches: undefined })
  throw redirect('/dashboard/profile?done=photo#photo')
}

export async function removePhoto(context: Context) {
  const { failure } = await attempt(context, (call) => showInstead(call, null))
  if (failure) return failed('photo', failure, { typed: {}, matches: undefined })
  throw redirect('/dashboard/profile?done=no-photo#photo')
}

async function showInstead(call: CallEndpoint, file_id: string | null) {
  const { replaced_file_id: id } = await call(choosePhoto, { body: { file_id } })
  if (id) await call(removeFile, { params: { id } })
}
