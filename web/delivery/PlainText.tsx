/** Plain text as sent, with clickable URLs. */
export function PlainText({ text }: { text: string }) {
  const segments = [...text.matchAll(/(https?:\/\/\S+)|.+?(?=https?:\/\/|$)/gs)]
  return segments.map(({ 0: segment, 1: address, index }) =>
    address ? (
      <a key={index} href={address} dir="ltr">
        {address}
      </a>
    ) : (
      <span key={index}>{segment}</span>
    ),
  )
}
