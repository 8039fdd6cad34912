import { useId } from 'react'
import type { SettingState } from '#shared/settings/endpoints.ts'
import { labelOf, SETTING_GROUPS, SETTING_KINDS, type SettingGroup, type SettingKey } from '#shared/settings/list.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useIsUnsaved } from '#web/lib/unsaved.ts'
import type { FormError } from '#web/lib/visitor.ts'
import { Button } from '#web/ui/Button.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { FormLists } from './form-values.ts'
import { SettingField } from './SettingField.tsx'
import styles from './Settings.module.css'

interface Props {
  group: SettingGroup
  stateOf: (key: SettingKey) => SettingState
  organizations: string[]
  zones: string[]
  actionData: { error: FormError | undefined; lists?: FormLists } | undefined
}

/** The settings of one group, saved together. */
export function GroupForm({ group, stateOf, organizations, zones, actionData }: Props) {
  const t = useT('settings')
  const problem = useProblems(actionData?.error)
  const id = useId()
  const isUnsaved = useIsUnsaved(id)
  const keys = Object.keys(SETTING_GROUPS[group]) as SettingKey[]
  return (
    <Form id={id} error={actionData?.error} preventScrollReset>
      <input type="hidden" name="group" value={group} />
      {keys.map((key) => (
        <div key={key} className={styles.setting}>
          <SettingField
            state={stateOf(key)}
            values={actionData?.lists?.[key] ?? (actionData ? [] : undefined)}
            error={problem(key)}
            organizations={organizations}
            zones={zones}
          />
          <LastChange state={stateOf(key)} />
        </div>
      ))}
      <div className={styles.save}>
        <Submit>{t('save')}</Submit>
        <span role="status">{isUnsaved && t('unsaved')}</span>
      </div>
    </Form>
  )
}

/** Separate from the groups: Enter in a field must save, not reset. */
export const RESET_FORM = 'reset-settings'

/** Default, author of the last change, and the reset button. */
function LastChange({ state }: { state: SettingState }) {
  const t = useT('settings')
  const shown = useShown()
  return (
    <p className={styles.about}>
      {t('default')}: <bdi>{shown(state.key, state.default)}</bdi>
      {state.updated_at && (
        <>
          {' · '}
          {state.updated_by ? (
            <>
              {t('changed_by')} <bdi>{state.updated_by}</bdi>
            </>
          ) : (
            t('changed')
          )}{' '}
          <Time value={state.updated_at} />{' '}
          <Button
            type="submit"
            form={RESET_FORM}
            look="link"
            name="reset"
            value={state.key}
            aria-label={t('reset_named', { name: t(labelOf(state.key)) })}
          >
            {t('reset')}
          </Button>
        </>
      )}
    </p>
  )
}

function useShown() {
  const t = useT('settings')
  return (key: SettingKey, value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'on' : 'off')
    if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : t('all_sources')
    if (SETTING_KINDS[key] === 'organization' && value === '') return t('all_sources')
    return value === '' ? t('empty') : String(value)
  }
}
