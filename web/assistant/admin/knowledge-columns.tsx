import { Form, Link, useSearchParams } from 'react-router'
import type { KnowledgeSource } from '#shared/assistant/knowledge.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import type { Column } from '#web/ui/AdminTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Time } from '#web/ui/Time.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import styles from './Admin.module.css'

/** Columns and actions of the list of pages. */
export function useKnowledgeColumns(): readonly [Column<KnowledgeSource>, ...Column<KnowledgeSource>[]] {
  const t = useT('assistantAdmin')
  const language = useLanguage()
  return [
    { key: 'title', label: t('column_page'), cell: (source) => <Title source={source} /> },
    {
      key: 'domain',
      label: t('column_domain'),
      narrow: 'under',
      cell: ({ source_domain }) => <bdi dir="ltr">{source_domain}</bdi>,
    },
    { key: 'language', label: t('column_language'), cell: (source) => <bdi dir="ltr">{source.language}</bdi> },
    {
      key: 'pieces',
      label: t('column_pieces'),
      isNumber: true,
      cell: ({ pieces }) => formatNumber(language, pieces),
    },
    {
      key: 'checked',
      label: t('column_read'),
      narrow: 'under',
      cell: ({ checked_at }) => <Time value={checked_at} look="relative" />,
    },
    { key: 'deeds', label: t('column_actions'), narrow: 'under', cell: (source) => <Actions source={source} /> },
  ]
}

function Title({ source: { page_title, page_url, origin, failure: error } }: { source: KnowledgeSource }) {
  const t = useT('assistantAdmin')
  const translate = useTranslateMessage()
  return (
    <>
      <a href={page_url} target="_blank" rel="noopener" className={styles.name}>
        <bdi>{page_title}</bdi>
      </a>
      {origin !== 'address' && <span className={styles.small}>{t(`origin_${origin}`)}</span>}
      {error && (
        <span className={styles.error}>
          {t('not_read')} {translate(error)}
        </span>
      )}
    </>
  )
}

function Actions({ source: { id, page_title, origin } }: { source: KnowledgeSource }) {
  const t = useT('assistantAdmin')
  const [params] = useSearchParams()
  const named = <span className="visually-hidden">: {page_title}</span>
  return (
    <Form method="post" preventScrollReset className={styles.buttons}>
      {/* A page supplied as text has no URL to fetch. */}
      {origin === 'address' && (
        <Button type="submit" isSmall icon="refresh" name="reindex" value={id}>
          {t('read_again')}
          {named}
        </Button>
      )}
      <Link to={addressWith(params, { action: 'delete', row: id, done: null, page: params.get('page') })}>
        {t('delete')}
        {named}
      </Link>
    </Form>
  )
}
