import { useParams } from 'react-router'
import type { ManagedServant } from '#shared/churches/managed-servants.ts'
import { type FormValues, resultOf } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Admin.module.css'
import type { ActionData } from './action-data.ts'
import { localePath } from './paths.ts'

interface Props {
  servants: ManagedServant[]
  accounts: { id: string; display_name: string; email: string }[]
  actionData: ActionData | undefined
}

/** The servants of a locale, each with what they agreed to publish. */
export function ServantsSection({ servants, accounts, actionData }: Props) {
  const t = useT('manageChurches')
  const adding = resultOf(actionData, 'servant', '')
  return (
    <AdminPanel id="servants" title={t('servants')}>
      <div className={styles.inPanel}>
        <FlashMessage namespace="manageChurches" isFor={(done) => done.startsWith('servant')} />
        {servants.length === 0 && <p className={styles.muted}>{t('servants_none')}</p>}
        {servants.map((servant) => {
          const changing = resultOf(actionData, 'servant', servant.id)
          return (
            <Fold
              key={servant.id}
              open={changing !== undefined}
              summary={
                <>
                  <bdi>{servant.name}</bdi>
                  <span className={styles.muted}>{t(agreementOf(servant))}</span>
                </>
              }
            >
              <ServantForm key={JSON.stringify(servant)} {...{ servant, accounts }} actionData={changing} />
            </Fold>
          )
        })}
        <Fold key={servants.length} open={adding !== undefined} summary={t('servant_add')}>
          <ServantForm accounts={accounts} actionData={adding} />
        </Fold>
      </div>
    </AdminPanel>
  )
}

interface FormProps {
  servant?: ManagedServant
  accounts: Props['accounts']
  actionData: ActionData | undefined
}

function ServantForm({ servant, accounts, actionData }: FormProps) {
  const t = useT('manageChurches')
  const problem = useProblems(actionData?.error)
  const { id = '' } = useParams()
  const values: FormValues = actionData?.values ?? (servant ? valuesOf(servant) : {})
  const field = (name: string) => ({ name, defaultValue: values[name] ?? '', error: problem(name) })
  const check = (name: string) => ({ name, defaultChecked: values[name] === 'on', error: problem(name) })
  const isKnown = !values.user_id || accounts.some((account) => account.id === values.user_id)
  return (
    <Form action={localePath(id)} error={actionData?.error}>
      <input type="hidden" name="item" value={servant?.id ?? ''} />
      <div className={styles.inner}>
        <TextField label={t('person_name')} required maxLength={200} dir="auto" {...field('name')} />
        <TextField
          label={t('servant_role')}
          hint={t('servant_role_hint')}
          maxLength={60}
          dir="auto"
          {...field('role')}
        />
        <TextField label={t('phone')} type="tel" dir="ltr" maxLength={40} {...field('phone')} />
        <TextField label={t('email')} type="email" dir="ltr" maxLength={320} {...field('email')} />
        <SelectField label={t('account')} hint={t('account_hint')} {...field('user_id')}>
          <option value="">{t('none')}</option>
          {!isKnown && <option value={values.user_id}>{servant?.user_name ?? values.user_id}</option>}
          {accounts.map((account) => (
            <option key={account.id} value={account.id}>
              {`${account.display_name} (${account.email})`}
            </option>
          ))}
        </SelectField>
        {servant && <TextField label={t('position')} type="number" min={1} max={1000} {...field('position')} />}
        <CheckField label={t('agrees_name')} {...check('is_name_public')} />
        <CheckField label={t('agrees_contact')} {...check('is_contact_public')} />
        {servant?.agreed_at && (
          <p className={styles.muted}>
            {t('agreed_at')} <Time value={servant.agreed_at} look="day" />
          </p>
        )}
      </div>
      <Buttons>
        <Submit look="secondary" name="intent" value="servant">
          {t(servant ? 'save' : 'servant_add')}
        </Submit>
        {servant && (
          <Button type="submit" look="link" name="intent" value="remove_servant">
            {t('servant_remove')}
          </Button>
        )}
      </Buttons>
    </Form>
  )
}

const agreementOf = ({ is_contact_public, is_name_public }: ManagedServant) =>
  is_contact_public ? 'agreed_contact' : is_name_public ? 'agreed_name' : 'agreed_no'

const valuesOf = (servant: ManagedServant): FormValues => ({
  name: servant.name,
  role: servant.role,
  phone: servant.phone ?? '',
  email: servant.email ?? '',
  user_id: servant.user_id ?? '',
  position: String(servant.position + 1),
  is_name_public: servant.is_name_public ? 'on' : '',
  is_contact_public: servant.is_contact_public ? 'on' : '',
})
