import type { ImportRefusal } from '#shared/imports/model.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import { useImportText } from './text.ts'

/** Why the last step was rejected, with the rows that prevent it. */
export function RefusalNote({ refusal: { code, rows, total } }: { refusal: ImportRefusal }) {
  const t = useImportText()
  const language = useLanguage()
  return (
    <Note kind="error" isLive title={t(`refusal_${code}`)}>
      {code === 'failed' && <p>{t('refusal_failed_text')}</p>}
      {code === 'rows_changed' && <p>{t('refusal_again')}</p>}
      {rows.length > 0 && (
        <ul>
          {rows.slice(0, 10).map((row) => (
            <li key={row.row_number}>
              {t('refusal_row', { row: formatNumber(language, row.row_number) })}: <bdi>{row.name}</bdi>,{' '}
              {t(`because_${row.code}`)}
            </li>
          ))}
          {total > 10 && <li>{t('refusal_more', { n: formatNumber(language, total - 10) })}</li>}
        </ul>
      )}
    </Note>
  )
}
