import { Link } from 'react-router'
import type { Correction } from '#shared/churches/care.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { type Key, useT } from '#web/lib/i18n.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import styles from './Care.module.css'

interface Props {
  corrections: readonly Correction[]
  actionData: FormResult | undefined
  /** Shows the church of each, on a page with several. */
  isNamed?: boolean
}

const PLACE = ['address_line1', 'address_line2', 'city', 'postal_code', 'local_address']

/** Corrections by visitors, each beside the current value. */
export function Corrections({ corrections, actionData, isNamed }: Props) {
  const t = useT('care')
  if (corrections.length === 0) return <p className={styles.none}>{t('corrections_none')}</p>
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers
    <ul className={styles.queue} role="list">
      {corrections.map((correction) => (
        <li key={correction.id}>
          <div className={styles.head}>
            {isNamed && (
              <Link to={`/admin/my-churches/${correction.locale_id}`}>
                <bdi>{correction.locale_name}</bdi>
              </Link>
            )}
            <strong>{t(`correction_${correction.kind}`)}</strong>
            <Time value={correction.created_at} look="relative" />
          </div>
          {correction.message && <UserText>{correction.message}</UserText>}
          {correction.contact && (
            <p className={styles.muted}>
              {t('ask_back')} <bdi>{correction.contact}</bdi>
            </p>
          )}
          <DecisionForm
            correction={correction}
            actionData={actionData?.values.subject === correction.id ? actionData : undefined}
          />
        </li>
      ))}
    </ul>
  )
}

function DecisionForm({ correction, actionData }: { correction: Correction; actionData: FormResult | undefined }) {
  const t = useT('care')
  const problem = useProblems(actionData?.error)
  const { id, changes } = correction
  return (
    <div className={styles.deciding}>
      <Form error={actionData?.intent === 'apply' ? actionData.error : undefined} preventScrollReset>
        <input type="hidden" name="intent" value="apply" />
        <input type="hidden" name="subject" value={id} />
        {changes.length > 0 && <Changes correction={correction} />}
        {changes.some(({ field }) => PLACE.includes(field)) && <p className={styles.muted}>{t('apply_place_hint')}</p>}
        <div>
          <Submit look="secondary">{t(changes.length > 0 ? 'apply' : 'apply_no_change')}</Submit>
        </div>
      </Form>
      <Fold look="link" open={actionData?.intent === 'decline'} summary={t('decline')}>
        <Form error={actionData?.intent === 'decline' ? actionData.error : undefined} preventScrollReset>
          <input type="hidden" name="intent" value="decline" />
          <input type="hidden" name="subject" value={id} />
          <TextField
            label={t('decline_note')}
            name="note"
            required
            maxLength={500}
            dir="auto"
            defaultValue={actionData?.intent === 'decline' ? actionData.values.note : undefined}
            error={actionData?.intent === 'decline' ? problem('note') : undefined}
          />
          <div>
            <Submit look="danger">{t('decline')}</Submit>
          </div>
        </Form>
      </Fold>
    </div>
  )
}

function Changes({ correction: { id, changes } }: { correction: Correction }) {
  const t = useT('care')
  return (
    <>
      <table className={styles.changes}>
        <thead>
          <tr>
            <th scope="col">{t('change_field')}</th>
            <th scope="col">{t('change_old')}</th>
            <th scope="col">{t('change_new')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, old, new: proposed }) => (
            <tr key={field}>
              <th scope="row">
                <label htmlFor={`${id}-${field}`} className={styles.tick}>
                  <input type="checkbox" id={`${id}-${field}`} name="field" value={field} defaultChecked />
                  {t(`field_${field}` as Key<'care'>)}
                </label>
              </th>
              <td className={styles.old}>{old ? <bdi>{old}</bdi> : t('change_none')}</td>
              <td className={styles.new}>{proposed ? <bdi>{proposed}</bdi> : t('change_none')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.muted}>{t('apply_hint')}</p>
    </>
  )
}
