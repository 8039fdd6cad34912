import { useState } from 'react'
import type { SettingState } from '#shared/settings/endpoints.ts'
import type { SettingGroup, SettingKey } from '#shared/settings/list.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { Button } from '#web/ui/Button.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { type FormLists, RESET_FORM } from './form-values.ts'
import type { Choices } from './SettingField.tsx'
import { SettingRow } from './SettingRow.tsx'
import styles from './Settings.module.css'

interface Props {
  group: SettingGroup
  settings: readonly SettingState[]
  choices: Choices
  actionData: { error: FormError | undefined; lists?: FormLists } | undefined
}

/** The settings of one group, saved together: all, or none if one is rejected. */
export function GroupForm({ group, settings, choices, actionData }: Props) {
  const t = useT('settings')
  const problem = useProblems(actionData?.error)
  const [changed, setChanged] = useState<ReadonlySet<SettingKey>>(new Set())
  // The submission that was discarded: its values and errors are not shown any more.
  const [discarded, setDiscarded] = useState<{ of: Props['actionData'] } | null>(null)
  const shown = discarded && discarded.of === actionData ? undefined : actionData
  const [round, setRound] = useState(0)

  function onChange(key: SettingKey, isChanged: boolean) {
    if (changed.has(key) === isChanged) return
    setChanged(new Set(isChanged ? [...changed, key] : [...changed].filter((other) => other !== key)))
  }
  function discard() {
    setDiscarded({ of: actionData })
    setChanged(new Set())
    setRound(round + 1)
  }
  return (
    <>
      <Form id={`settings-${group}`} error={shown?.error} preventScrollReset>
        {settings.map((state) => (
          <SettingRow
            key={`${state.key} ${round}`}
            state={state}
            values={shown && (shown.lists?.[state.key] ?? [])}
            error={shown && problem(state.key)}
            choices={choices}
            onChange={onChange}
          />
        ))}
        <div className={styles.save}>
          <Submit>{changed.size > 0 ? t('save_count', { count: changed.size }) : t('save')}</Submit>
          {changed.size > 0 && (
            <Button look="link" onClick={discard}>
              {t('discard')}
            </Button>
          )}
          <span role="status">{changed.size > 0 && t('unsaved')}</span>
        </div>
      </Form>
      <Form id={RESET_FORM} isGuarded={false} preventScrollReset>
        {null}
      </Form>
    </>
  )
}
