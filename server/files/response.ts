import type { Selectable } from 'kysely'
import type { StoredFilesTable } from '#server/db/tables.ts'
import { bodyOf, keyOf, type Store } from './store.ts'

/** A file response that executes nowhere: pictures are shown, documents are downloaded. */
export function fileResponse(store: Store, file: Selectable<StoredFilesTable>, headers: Headers): Response {
  const etag = `"${file.sha256}"`
  const guarded = {
    etag,
    'cache-control': 'private, no-cache',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
  if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: guarded })
  const disposition = file.content_type.startsWith('image/') ? 'inline' : 'attachment'
  return new Response(bodyOf(store, keyOf(file)), {
    headers: {
      ...guarded,
      'content-type': file.content_type,
      'content-length': String(file.size),
      'content-disposition': `${disposition}; ${named(file.name)}`,
    },
  })
}

/** In any script for clients that support RFC 8187, in ASCII for the others. */
function named(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${plain}"; filename*=UTF-8''${encoded}`
}
