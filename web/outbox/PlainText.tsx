/** Text as it was sent, with its web addresses to click. */
export function PlainText({ text }: { text: string }) {
  const parts = [...text.matchAll(/(https?:\/\/\S+)|.+?(?=https?:\/\/|$)/gs)]
  return parts.map(({ 0: part, 1: address, index }) =>
    address ? (
      <a key={index} href={address} dir="ltr">
        {address}
      </a>
    ) : (
      <span key={index}>{part}</span>
    ),
  )
}
