import type { previewSource } from '#shared/advisories/admin-sources.ts'
import { formatNumber, isolated } from '#web/lib/format.ts'
import { type Key, useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { SeverityTag } from '../SeverityTag.tsx'
import { typeText } from '../status-text.ts'
import styles from './SourceForm.module.css'

type Preview = (typeof previewSource)['~']['output']

/** Result of reading the document. Nothing is saved. */
export function SourcePreview({ preview }: { preview: Preview }) {
  const t = useT('manage')
  const language = useLanguage()
  const n = (value: number) => formatNumber(language, value)
  const { problem, readers, total, refused_total, follow, entries, refused, unresolved, levels } = preview
  const names = readers.map((reader) => t(`reader_${reader.replace('-', '_')}` as Key<'manage'>)).join(t('comma'))
  return (
    <AdminPanel id="preview" title={t('source_preview_title')}>
      <div className={styles.preview}>
        {problem === null ? (
          <Note kind="success" isLive title={t('preview_good')} />
        ) : (
          <Note kind="error" isLive title={t('preview_bad')}>
            <p>
              <bdi lang="en">{problem}</bdi>
            </p>
            {readers.length > 0 && <p>{t('preview_readers', { readers: names })}</p>}
          </Note>
        )}
        <p>{t('preview_counts', { total: n(total), refused: n(refused_total), follow: n(follow) })}</p>
        {levels.length > 0 && (
          <Rows
            title={t('preview_levels')}
            heads={[t('preview_value'), t('preview_count'), t('severity')]}
            rows={levels.map(({ value, count, severity }) => [
              <bdi key="value">{value}</bdi>,
              n(count),
              severity ? (
                <SeverityTag key="level" severity={severity} isPulsing={false} />
              ) : (
                <b key="level">{t('preview_unmapped')}</b>
              ),
            ])}
          />
        )}
        {entries.length > 0 && <Entries entries={entries} />}
        {unresolved.length > 0 && (
          <p>
            {t('preview_unresolved')} <bdi>{unresolved.map(isolated).join(t('comma'))}</bdi>
          </p>
        )}
        {refused.length > 0 && (
          <Rows
            title={t('refused_title')}
            heads={[t('entry'), t('reason')]}
            rows={refused.map(({ item, reason }) => [
              <bdi key="item">{item}</bdi>,
              <bdi key="reason" lang="en">
                {reason}
              </bdi>,
            ])}
          />
        )}
      </div>
    </AdminPanel>
  )
}

function Entries({ entries }: Pick<Preview, 'entries'>) {
  const t = useT('manage')
  const about = useT('advisory')
  return (
    <Rows
      title={t('preview_entries')}
      heads={[
        t('severity'),
        t('advisory_title'),
        t('preview_countries'),
        t('type'),
        t('published_at'),
        t('source_link'),
      ]}
      rows={entries.map((entry) => [
        <SeverityTag key="level" severity={entry.severity_level} isPulsing={false} />,
        <div key="title" dir="auto">
          <b>{entry.title}</b>
          <p className={styles.text}>{entry.description}</p>
        </div>,
        <bdi key="countries">
          {[...entry.countries, ...entry.unresolved.map((name) => `${name} (?)`)].join(t('comma'))}
        </bdi>,
        typeText(about, entry.advisory_type),
        <Time key="date" value={entry.last_updated} precision={entry.date_precision} look="day" />,
        <a key="link" href={entry.source_url} dir="ltr" rel="noreferrer">
          {URL.parse(entry.source_url)?.pathname.slice(0, 40) ?? entry.source_url}
        </a>,
      ])}
    />
  )
}

function Rows({ title, heads, rows }: { title: string; heads: string[]; rows: React.ReactNode[][] }) {
  return (
    <div className={styles.table}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <tr key={row}>
              {cells.map((cell, i) => (
                <td key={heads[i]} data-label={heads[i]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
