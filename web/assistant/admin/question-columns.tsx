import { Fragment } from 'react'
import { Form, Link } from 'react-router'
import type { QuestionLogEntry } from '#shared/assistant/questions.ts'
import { isolated } from '#web/lib/format.ts'
import { type Key, useT } from '#web/lib/i18n.tsx'
import type { Column } from '#web/ui/AdminTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Admin.module.css'
import { FACTS, KNOWLEDGE } from './paths.ts'
import type { RecordLink } from './records.ts'

interface QuestionRow extends Omit<QuestionLogEntry, 'record_ids'> {
  language_name: string | undefined
  country: string | null
  records: RecordLink[]
}

/** Columns: the question, how the answer fell short, and what can be done about it. */
export function useQuestionColumns(): readonly [Column<QuestionRow>, ...Column<QuestionRow>[]] {
  const t = useT('assistantAdmin')
  return [
    { key: 'question', label: t('column_question'), cell: (row) => <Question row={row} /> },
    {
      key: 'status',
      label: t('column_status'),
      narrow: 'under',
      cell: ({ status, rating }) => (
        <span className={styles.marks}>
          <Tag>{t(`answer_${status}`)}</Tag>
          {rating === -1 && (
            <span className={styles.error}>
              <Icon name="caution" /> {t('rated_down')}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'about',
      label: t('column_about'),
      narrow: 'under',
      cell: ({ intent, country, language, language_name }) => (
        <>
          {t(`intent_${intent}` as Key<'assistantAdmin'>)}
          {[country, language_name ?? language].filter(Boolean).map((text) => (
            <Fragment key={text}>
              {' · '}
              <bdi>{text}</bdi>
            </Fragment>
          ))}
        </>
      ),
    },
    {
      key: 'asked',
      label: t('column_date'),
      narrow: 'under',
      cell: ({ asked_at }) => <Time value={asked_at} look="relative" />,
    },
    { key: 'deeds', label: t('column_actions'), narrow: 'under', cell: (row) => <Actions row={row} /> },
  ]
}

function Question({ row: { question, language, comment, records } }: { row: QuestionRow }) {
  const t = useT('assistantAdmin')
  return (
    <div className={styles.question}>
      {question ? (
        <span dir="auto" lang={language}>
          {question}
        </span>
      ) : (
        <span className={styles.small}>{t('text_not_saved')}</span>
      )}
      {comment && <span className={styles.small}>{t('comment', { comment: isolated(comment) })}</span>}
      {records.length > 0 && (
        <span className={classes(styles.small, styles.records)}>
          {t('rested_on')}
          {records.map(({ kind, to }) => (
            <Link key={to} to={to}>
              {t(`record_${kind}`)}
            </Link>
          ))}
        </span>
      )}
    </div>
  )
}

function Actions({ row: { id, country_code, question } }: { row: QuestionRow }) {
  const t = useT('assistantAdmin')
  const named = <span className="visually-hidden">: {question ?? t('text_not_saved')}</span>
  return (
    <Form method="post" preventScrollReset className={styles.buttons}>
      <Button type="submit" isSmall icon="check" name="review" value={id}>
        {t('review')}
        {named}
      </Button>
      <Link to={country_code ? `${FACTS}/new?country=${country_code}` : `${FACTS}/new`}>{t('write_fact')}</Link>
      <Link to={`${KNOWLEDGE}/new`}>{t('new_page')}</Link>
    </Form>
  )
}
