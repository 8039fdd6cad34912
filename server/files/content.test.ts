import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Bucket } from '#shared/files/buckets.ts'
import { contentFor } from './content.ts'

const picture = (width = 40, height = 30) => sharp({ create: { width, height, channels: 3, background: '#1e40af' } })
const jpeg = await picture().jpeg().toBuffer()
const png = await picture().png().toBuffer()
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n')
const zipEnd = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
const codeOf = (bucket: Bucket, bytes: Uint8Array) =>
  contentFor(bucket, bytes).then(
    () => 'kept',
    (error) => error.code,
  )

test('pictures and documents are stored unchanged', async () => {
  for (const [bytes, type] of [
    [jpeg, 'image/jpeg'],
    [png, 'image/png'],
    [pdf, 'application/pdf'],
  ] as const) {
    const content = await contentFor('pdos-documents', bytes)
    expect(content.type).toBe(type)
    expect(Buffer.compare(content.bytes, bytes)).toBe(0)
  }
})

test('a file type that a bucket does not accept is refused by content', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])
  for (const bytes of [svg, html, program, Buffer.from('hello'), await picture().gif().toBuffer()])
    expect(await codeOf('pdos-documents', bytes)).toBe('file_type')
  expect(await codeOf('avatars', pdf)).toBe('file_type')
  expect(await codeOf('chapter-photos', pdf)).toBe('file_type')
  expect(await codeOf('avatars', Buffer.alloc(0))).toBe('empty_file')
})

test('a file that is two types at once is refused', async () => {
  for (const tail of ['<script>alert(1)</script>', '<html><body>', '<?php system($_GET[0]);', '%PDF-1.4 %%EOF'])
    expect(await codeOf('pdos-documents', Buffer.concat([jpeg, Buffer.from(tail)]))).toBe('file_type')
  for (const bytes of [jpeg, png, pdf])
    expect(await codeOf('pdos-documents', Buffer.concat([bytes, zipEnd]))).toBe('file_type')
  const comment = sharp(jpeg).withExif({ IFD0: { ImageDescription: '<script>alert(1)</script>' } })
  expect(await codeOf('pdos-documents', await comment.jpeg().toBuffer())).toBe('file_type')
})

test('a file header alone makes neither a picture nor a document', async () => {
  expect(await codeOf('pdos-documents', Buffer.concat([png.subarray(0, 40), Buffer.alloc(500)]))).toBe('damaged_file')
  expect(await codeOf('pdos-documents', jpeg.subarray(0, jpeg.length / 2))).toBe('damaged_file')
  expect(await codeOf('pdos-documents', Buffer.from('%PDF-1.4\nnothing'))).toBe('damaged_file')
})

test('a portrait is resized and loses its location data', async () => {
  const taken = await picture(2000, 1000)
    .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '14/1 35/1 0/1' } })
    .jpeg()
    .toBuffer()
  expect((await sharp(taken).metadata()).exif).toBeDefined()
  const { bytes, type } = await contentFor('avatars', taken)
  const { width, height, format, exif, xmp, iptc } = await sharp(bytes).metadata()
  expect({ type, width, height, format, exif, xmp, iptc }).toEqual({
    type: 'image/webp',
    width: 512,
    height: 256,
    format: 'webp',
    exif: undefined,
    xmp: undefined,
    iptc: undefined,
  })
})

test('a small file that would decode to a huge picture is not decoded', { timeout: 20_000 }, async () => {
  const bomb = await picture(8_500, 8_500).png({ compressionLevel: 9 }).toBuffer()
  expect(bomb.byteLength).toBeLessThan(5 * 1024 * 1024)
  const began = performance.now()
  for (const bucket of ['avatars', 'pdos-documents'] as const) expect(await codeOf(bucket, bomb)).toBe('damaged_file')
  expect(performance.now() - began).toBeLessThan(5_000)
})
