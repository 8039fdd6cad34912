import { AppError } from '#shared/errors.ts'
import type { Upload } from '#shared/files/upload.ts'

/** Bytes a form may carry besides the file: boundaries and small fields. */
const FORM_BYTES = 64 * 1024

/** Reads a body and stops as soon as it exceeds the limit. */
export async function readBytes(request: Request, maxBytes: number, tooLarge: () => AppError): Promise<Buffer> {
  // The declared length is too large: nothing is read.
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The uploaded file of a request, as its body or as the one file of its form. */
export function uploadOf(request: Request): Upload {
  const type = request.headers.get('content-type') ?? ''
  const tooLarge = (maxBytes: number) => () => fileTooLarge(maxBytes)
  return {
    async read(maxBytes) {
      if (!/^multipart\/form-data\b/i.test(type))
        return { bytes: await readBytes(request, maxBytes, tooLarge(maxBytes)) }
      const body = await readBytes(request, maxBytes + FORM_BYTES, tooLarge(maxBytes))
      const file = await onlyFileOf(body, type)
      if (file.size > maxBytes) throw fileTooLarge(maxBytes)
      return { bytes: new Uint8Array(await file.arrayBuffer()), name: file.name }
    },
  }
}

async function onlyFileOf(body: Buffer, type: string): Promise<File> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData().catch(() => {
    throw new AppError(400, 'malformed_form', 'The form did not arrive complete. Please send it again.')
  })
  const files = [...form.values()].filter((value) => value instanceof File && value.size > 0) as File[]
  const [file, ...others] = files
  if (file && others.length === 0) return file
  const message = file ? 'Choose only one file' : 'Choose a file'
  throw new AppError(422, 'one_file', message, { fields: { file: message } })
}

function fileTooLarge(maxBytes: number): AppError {
  const text = `File is too large (max ${Math.floor(maxBytes / 1024 / 1024)} MB)`
  return new AppError(413, 'file_too_large', text, { fields: { file: text } })
}
