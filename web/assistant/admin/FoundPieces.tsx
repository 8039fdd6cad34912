import type { KnowledgeChunk } from '#shared/assistant/knowledge.ts'
import { FORMAT_TAGS } from '#shared/language.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Board, BoardRow } from '#web/ui/Board.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'

/** Matching chunks with their similarity from 0 to 1; those too far from the question to be quoted are marked. */
export function FoundPieces({ pieces }: { pieces: (KnowledgeChunk & { isQuoted: boolean })[] }) {
  const t = useT('assistantAdmin')
  const language = useLanguage()
  const score = new Intl.NumberFormat(FORMAT_TAGS[language], {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  if (pieces.length === 0)
    return (
      <Note heading="h2" kind="unknown" title={t('found_none')}>
        <p>{t('found_none_text')}</p>
      </Note>
    )
  return (
    <section className={styles.stack} aria-labelledby="found">
      <h2 id="found">{t('found', { count: pieces.length })}</h2>
      <Board label={t('tab_search')}>
        {pieces.map(({ id, content, metadata, similarity, isQuoted }) => (
          <BoardRow
            key={id}
            tag={<span className={styles.score}>{score.format(similarity)}</span>}
            title={
              <a href={metadata.page_url} target="_blank" rel="noopener">
                <bdi>{metadata.page_title}</bdi>
              </a>
            }
            end={<bdi dir="ltr">{`${metadata.source_domain} · ${metadata.language}`}</bdi>}
          >
            {metadata.heading && (
              <p className={styles.heading}>
                <bdi>{metadata.heading}</bdi>
              </p>
            )}
            <p className={styles.piece} dir="auto" lang={metadata.language}>
              {content}
            </p>
            {!isQuoted && <UnknownTag>{t('not_quoted')}</UnknownTag>}
          </BoardRow>
        ))}
      </Board>
    </section>
  )
}
