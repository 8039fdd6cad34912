import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { ASSET_HEADERS } from './protection.ts'
import { acceptedEncoding } from './response-cache.ts'

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

interface Asset {
  type: string
  etag: string
  isImmutable: boolean
  bodies: { identity: Uint8Array<ArrayBuffer>; br?: Uint8Array<ArrayBuffer>; gzip?: Uint8Array<ArrayBuffer> }
}

/**
 * Static files of the given folders, all read at start-up (a few hundred kilobytes), with the compressed copies that
 * the build made. Only files found then are ever served, so no request path touches the disk.
 */
export async function loadAssets(folders: { folder: string; under: string; isImmutable: boolean }[]) {
  const assets = new Map<string, Asset>()
  for (const { folder, under, isImmutable } of folders) {
    const names = await readdir(folder, { recursive: true }).catch(() => [] as string[])
    for (const name of names) {
      const type = TYPES[path.extname(name)]
      if (!type) continue
      const file = path.join(folder, name)
      const identity = new Uint8Array(await readFile(file))
      const [br, gzip] = await Promise.all(
        ['.br', '.gz'].map((ending) =>
          readFile(file + ending).then(
            (b) => new Uint8Array(b),
            () => undefined,
          ),
        ),
      )
      assets.set(`${under}${name.split(path.sep).join('/')}`, {
        type,
        isImmutable,
        etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`,
        bodies: { identity, ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) },
      })
    }
  }

  return (request: Request): Response | undefined => {
    const asset = assets.get(new URL(request.url).pathname)
    if (!asset || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
    const headers: Record<string, string> = {
      'content-type': asset.type,
      etag: asset.etag,
      vary: 'accept-encoding',
      ...ASSET_HEADERS,
      // Built files have a hash in their name.
      'cache-control': asset.isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    }
    if (request.headers.get('if-none-match') === asset.etag) return new Response(null, { status: 304, headers })
    const wanted = acceptedEncoding(request.headers.get('accept-encoding'))
    const encoded = asset.bodies[wanted]
    const body = encoded ?? asset.bodies.identity
    if (encoded && wanted !== 'identity') headers['content-encoding'] = wanted
    headers['content-length'] = String(body.byteLength)
    return new Response(request.method === 'HEAD' ? null : body, { headers })
  }
}
