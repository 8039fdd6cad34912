import { Link } from 'react-router'
import { type AssistantCase, type CaseEntry, ENTRIES_PER_PAGE } from '#shared/assistant/cases.ts'
import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { formatNumber, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { telOf } from '#web/lib/tel.ts'
import type { FormError } from '#web/lib/visitor.ts'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Cases.module.css'
import { CASES } from './paths.ts'

interface Props {
  found: AssistantCase
  entries: readonly CaseEntry[]
  stored: number
  /** Number of distinct phone numbers among them. */
  numbers: number
  page: number
  /** Why a message was not split off. */
  error: (FormError & { entry: string }) | undefined
}

/** Messages of a case, those with contact details first; each can become a case of its own. */
export function Entries({ found: { id, entry_count }, entries, stored, numbers, page, error }: Props) {
  const t = useT('cases')
  const language = useLanguage()
  const pages = Math.ceil(stored / ENTRIES_PER_PAGE)
  const uncounted = entry_count - stored
  return (
    <>
      {numbers > 0 && (
        <p className={styles.entriesNote}>{t('entries_numbers', { n: formatNumber(language, numbers) })}</p>
      )}
      {uncounted > 0 && (
        <p className={styles.entriesNote}>{t('entries_not_stored', { n: formatNumber(language, uncounted) })}</p>
      )}
      <ol className={styles.entries}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} error={error?.entry === entry.id ? error : undefined} />
        ))}
      </ol>
      {pages > 1 && (
        <nav className={styles.entriesNote} aria-label={t('entries_title')}>
          {page > 1 && <Link to={`${CASES}/${id}?page=${page - 1}#entries`}>{t('entries_before')}</Link>}{' '}
          {t('entries_page', { page: formatNumber(language, page), pages: formatNumber(language, pages) })}{' '}
          {page < pages && <Link to={`${CASES}/${id}?page=${page + 1}#entries`}>{t('entries_next')}</Link>}
        </nav>
      )}
    </>
  )
}

function Entry({ entry, error }: { entry: CaseEntry; error: FormError | undefined }) {
  const t = useT('cases')
  const language = useLanguage()
  const { name, safe_phone, safe_time, words, alike, dangers } = entry
  return (
    <li>
      <div>
        <p className={styles.muted}>
          <Time value={entry.received_at} look="relative" /> · <bdi dir="ltr">{entry.reference}</bdi> ·{' '}
          <bdi>{ASSISTANT_LANGUAGES[entry.language].native_name}</bdi>
        </p>
        {(name || safe_phone) && (
          <p className={styles.who}>
            {name && <bdi>{name}</bdi>}{' '}
            {safe_phone && (
              <a
                href={telOf(safe_phone)}
                aria-label={`${t('call', { name: isolated(name ?? t('unknown_user')) })}: ${safe_phone}`}
              >
                <Icon name="phone" /> <bdi dir="ltr">{safe_phone}</bdi>
              </a>
            )}
            {safe_time && <span className={styles.muted}> {t('safe_time', { time: isolated(safe_time) })}</span>}
          </p>
        )}
        {dangers.length > 0 && (
          <p className={styles.danger}>{dangers.map((danger) => t(`danger_${danger}`)).join(' · ')}</p>
        )}
        <p className={styles.entryText} lang={words ? entry.language : undefined} dir="auto">
          {/* The dash marks the user's lines in a longer conversation. */}
          {words.replace(/^— /, '') || t('no_words')}
        </p>
        {alike > 1 && words && <p className={styles.muted}>{t('entry_alike', { n: formatNumber(language, alike) })}</p>}
      </div>
      {entry.split_to ? (
        <Link to={`${CASES}/${entry.split_to}`}>{t('entry_own_case')}</Link>
      ) : (
        <Form error={error}>
          <input type="hidden" name="intent" value="split" />
          <input type="hidden" name="entry" value={entry.id} />
          <Submit look="secondary">
            {t('split')}
            <span className="visually-hidden">: {entry.reference}</span>
          </Submit>
        </Form>
      )}
    </li>
  )
}
