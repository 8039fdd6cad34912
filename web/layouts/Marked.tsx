import styles from './SearchResults.module.css'
import { markedPieces } from './search-results.ts'

/** A text with the searched words underlined. */
export function Marked({ text, search }: { text: string; search: string }) {
  return (
    <bdi>
      {markedPieces(text, search).map((piece, at) =>
        piece.isMatch ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
          <mark key={at} className={styles.match}>
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  )
}
