import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import { SignMark } from './AccountSigns.tsx'
import styles from './BulkActions.module.css'
import type { Bulk } from './bulk.server.ts'
import { useCounted } from './useCounted.ts'

/** States the number of accounts and what is known about them, and asks for confirmation. */
export function BulkConfirm({ bulk }: { bulk: Bulk }) {
  const t = useT('users')
  const language = useLanguage()
  const [params] = useSearchParams()
  const counted = useCounted()
  const problem = useProblems(bulk.error)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  const { kind, preview, error } = bulk
  const back = addressWith(params, { page: params.get('page'), done: null })
  const goBack = (
    <ButtonLink to={back} preventScrollReset replace>
      {t('not_now')}
    </ButtonLink>
  )
  if (!preview || preview.count === 0)
    return (
      <div ref={panel} tabIndex={-1} className={styles.panel}>
        <Form error={error}>
          {!error && <Note isLive title={t('bulk_nobody')} />}
          <Buttons>{goBack}</Buttons>
        </Form>
      </div>
    )
  const { total, count, bounced, others, missing, signs } = preview
  return (
    <div ref={panel} tabIndex={-1} className={styles.panel}>
      <Note
        isLive
        heading="h2"
        title={t(`bulk_${kind}_title`, counted(count))}
        action={
          <Form error={error}>
            <input type="hidden" name="intent" value="bulk" />
            <input type="hidden" name="kind" value={kind} />
            <input type="hidden" name="confirmed" value="yes" />
            <input type="hidden" name="request_key" value={bulk.requestKey} />
            {bulk.isAll && <input type="hidden" name="all" value="yes" />}
            {bulk.isAll && <input type="hidden" name="count" value={total} />}
            {bulk.ids.map((id) => (
              <input key={id} type="hidden" name="ids" value={id} />
            ))}
            {kind !== 'verify' && (
              <TextAreaField
                label={t(`bulk_${kind}_message`)}
                hint={t('reason_shown_hint')}
                name="message"
                rows={3}
                maxLength={500}
                required
                defaultValue={bulk.message}
                error={problem('message')}
              />
            )}
            <Buttons>
              <Submit look={kind === 'refuse' ? 'danger' : 'primary'}>{t(`bulk_${kind}_yes`, counted(count))}</Submit>
              {goBack}
            </Buttons>
          </Form>
        }
      >
        <ul className={styles.reasons}>
          {signs.map(({ sign, count: n }) => (
            <li key={sign}>
              <b>{formatNumber(language, n)}</b>
              <SignMark sign={sign} />
            </li>
          ))}
        </ul>
        {bounced > 0 && <p>{t('bulk_bounced', counted(bounced))}</p>}
        {others > 0 && <p>{t('bulk_others', counted(others))}</p>}
        {missing > 0 && <p>{t('bulk_missing', counted(missing))}</p>}
        <p>{t(`bulk_${kind}_means`)}</p>
      </Note>
    </div>
  )
}
