/** File buckets: permitted content and who may read it besides the owner (D-22). Sizes in bytes. */
export const BUCKETS = {
  avatars: { types: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: 5 * 1024 * 1024 },
  'pdos-documents': { types: ['application/pdf', 'image/jpeg', 'image/png'], maxBytes: 10 * 1024 * 1024 },
  'chapter-photos': { types: ['image/jpeg', 'image/png'], maxBytes: 10 * 1024 * 1024 },
  'inquiry-attachments': { types: ['application/pdf', 'image/jpeg', 'image/png'], maxBytes: 10 * 1024 * 1024 },
} as const satisfies Record<string, { types: readonly string[]; maxBytes: number }>

export type Bucket = keyof typeof BUCKETS
export const BUCKET_NAMES = Object.keys(BUCKETS) as [Bucket, ...Bucket[]]

/** Minutes for which a signed link is valid (D-22). */
export const LINK_MINUTES = 10

/** Limit per user across all buckets. */
export const QUOTA_BYTES = 100 * 1024 * 1024

/** Reading another user's file in these buckets is recorded in the audit log. */
export const AUDITED: ReadonlySet<Bucket> = new Set(['pdos-documents', 'inquiry-attachments'])
