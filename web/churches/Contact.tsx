/** A phone number or email address as a link; anything else as text. */
export function Contact({ value }: { value: string }) {
  const isMail = value.includes('@')
  const digits = value.replace(/[^\d+]/g, '')
  if (!isMail && digits.length < 3) return <bdi>{value}</bdi>
  return (
    <a href={isMail ? `mailto:${value}` : `tel:${digits}`}>
      <bdi dir="ltr">{value}</bdi>
    </a>
  )
}
