import * as z from 'zod'

// Control characters, and direction marks that make a name read as another.
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

/** A path in the user's own folder, in any script: 'passports/2026.pdf'. It does not correspond to a path on disk. */
export const FilePath = z
  .string()
  .max(1_000)
  .transform((path) => path.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .min(1, 'This field is required')
      .max(300, 'Must be at most 300 characters')
      .refine(
        (path) => path.isWellFormed() && !HIDDEN.test(path) && !path.includes('\\'),
        'This file name cannot be used. Choose another one.',
      )
      .refine(
        (path) => path.split('/').every((segment) => segment.trim() !== '' && segment !== '.' && segment !== '..'),
        'This file name cannot be used. Choose another one.',
      ),
  )

const ENDINGS: Record<string, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/** Download name: the owner's name for the file, with the extension of its actual type. */
export function fileNameFor(name: string | undefined, type: string): string {
  const last = (name ?? '')
    .normalize('NFC')
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
  const clean = last.replace(new RegExp(HIDDEN.source, 'gu'), '').trim()
  const ending = ENDINGS[type] ?? 'bin'
  const isRight = new RegExp(`\\.(${ending}${ending === 'jpg' ? '|jpeg' : ''})$`, 'i').test(clean)
  const stem = clean.replace(/\.[\p{L}\p{N}]{1,8}$/u, '').replace(/^\.+/, '')
  return isRight && stem !== '' ? shortened(clean, 200) : `${shortened(stem || 'file', 190)}.${ending}`
}

/** Cut before the extension, never within a character. */
function shortened(name: string, length: number): string {
  if (name.length <= length) return name
  const ending = /\.[a-z]{1,5}$/i.exec(name)?.[0] ?? ''
  return name.slice(0, length - ending.length).replace(/[\ud800-\udbff]$/, '') + ending
}
