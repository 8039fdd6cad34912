import { fileTypeFromBuffer } from 'file-type'
import { AppError } from '#shared/errors.ts'
import { BUCKETS, type Bucket } from '#shared/files/buckets.ts'

const AVATAR_PIXELS = 512
const PHOTO_PIXELS = 1600
/** More than any camera takes; files that decode to more are rejected as decompression bombs. */
const MAX_PIXELS = 60_000_000

export interface Content {
  bytes: Uint8Array
  type: string
}

/**
 * The stored form of an upload: its type is detected from the bytes, never from its name or header. Portraits and
 * photos of places are re-encoded, smaller and without camera metadata, which may reveal location and author;
 * everything else is stored unchanged.
 */
export async function contentFor(bucket: Bucket, bytes: Uint8Array): Promise<Content> {
  if (bytes.byteLength === 0) throw refused('empty_file', 'Choose a file')
  const type = (await fileTypeFromBuffer(bytes))?.mime
  const allowed: readonly string[] = BUCKETS[bucket].types
  if (!type || !allowed.includes(type) || isAlsoSomethingElse(bytes, type)) throw notAllowed()
  if (type === 'application/pdf') {
    if (!isWholePdf(bytes)) throw damaged()
    return { bytes, type }
  }
  if (bucket === 'avatars') return { bytes: await portraitOf(bytes), type: 'image/webp' }
  if (bucket === 'chapter-photos') return { bytes: await photoOf(bytes), type: 'image/jpeg' }
  await drawOnce(bytes)
  return { bytes, type }
}

/** Markup, a program or an archive inside a picture, or an archive appended to a document. */
function isAlsoSomethingElse(bytes: Uint8Array, type: string): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (endsAsArchive(text)) return true
  if (type === 'application/pdf') return false
  return /<(script|html|iframe|body|object|!doctype)[\s>]|<\?php\s|%PDF-1\.|%PDF-2\./i.test(text)
}

/** A ZIP is parsed from its end: its last record holds the length of the comment after it. */
function endsAsArchive(text: string): boolean {
  for (let at = text.lastIndexOf('PK\x05\x06'); at >= 0 && text.length - at <= 65_557; ) {
    const length = text.charCodeAt(at + 20) + text.charCodeAt(at + 21) * 256
    if (at + 22 + length <= text.length) return true
    if (at === 0) return false
    at = text.lastIndexOf('PK\x05\x06', at - 1)
  }
  return false
}

function isWholePdf(bytes: Uint8Array): boolean {
  const end = Buffer.from(bytes.subarray(-2_048)).toString('latin1')
  return end.includes('%%EOF') && end.includes('startxref')
}

async function portraitOf(bytes: Uint8Array): Promise<Uint8Array> {
  const image = await imageOf(bytes)
  const inside = { width: AVATAR_PIXELS, height: AVATAR_PIXELS, fit: 'inside', withoutEnlargement: true } as const
  return image
    .autoOrient()
    .resize(inside)
    .webp({ quality: 82 })
    .toBuffer()
    .catch(() => {
      throw damaged()
    })
}

async function photoOf(bytes: Uint8Array): Promise<Uint8Array> {
  const image = await imageOf(bytes)
  const inside = { width: PHOTO_PIXELS, height: PHOTO_PIXELS, fit: 'inside', withoutEnlargement: true } as const
  return image
    .autoOrient()
    .resize(inside)
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 80, progressive: true })
    .toBuffer()
    .catch(() => {
      throw damaged()
    })
}

/** A picture that cannot be decoded is invalid, whatever its first bytes say. */
async function drawOnce(bytes: Uint8Array): Promise<void> {
  const image = await imageOf(bytes)
  await image
    .resize({ width: 32, height: 32, fit: 'inside' })
    .toBuffer()
    .catch(() => {
      throw damaged()
    })
}

async function imageOf(bytes: Uint8Array) {
  // Loaded with the first picture: it brings native code.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }).timeout({ seconds: 20 })
}

const refused = (code: string, text: string) => new AppError(422, code, text, { fields: { file: text } })
const notAllowed = () =>
  new AppError(415, 'file_type', 'File type not allowed', { fields: { file: 'File type not allowed' } })
const damaged = () => refused('damaged_file', 'This file is damaged or too large to open.')
