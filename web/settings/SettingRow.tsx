import { type FormEvent, useEffect, useId, useState } from 'react'
import type { SettingState } from '#shared/settings/endpoints.ts'
import { labelOf, SETTING_KINDS, type SettingKey } from '#shared/settings/list.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useHydrated } from '#web/lib/useHydrated.ts'
import { Button } from '#web/ui/Button.tsx'
import { Time } from '#web/ui/Time.tsx'
import { isSame, parseValue, RESET_FORM, readName } from './form-values.ts'
import { type Choices, SettingField } from './SettingField.tsx'
import styles from './Settings.module.css'

interface Props {
  state: SettingState
  /** Submitted values that were rejected. */
  values: string[] | undefined
  error: string | undefined
  choices: Choices
  onChange: (key: SettingKey, isChanged: boolean) => void
}

/** A setting with its text at the start and its control at the end; a changed value is marked and can be undone. */
export function SettingRow({ state, values, error, choices, onChange }: Props) {
  const t = useT('settings')
  const id = useId()
  const isHydrated = useHydrated()
  const { key, value } = state
  const kind = SETTING_KINDS[key]
  const [now, setNow] = useState<unknown>(values ? parseValue(kind, values) : value)
  const [undone, setUndone] = useState(0)
  const shown = useShown()
  const isChanged = !isSame(now, value)
  // A rejected value is a change from the start.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parent's function is new on every rendering
  useEffect(() => onChange(key, isChanged), [key, isChanged])

  function onInput({ currentTarget }: FormEvent<HTMLElement>) {
    const form = currentTarget.closest('form')
    if (form) setNow(parseValue(kind, new FormData(form).getAll(key).map(String)))
  }
  function undo() {
    setNow(value)
    setUndone(undone + 1)
  }
  const described = [`${id}-hint`, error && `${id}-error`, isChanged && `${id}-was`].filter(Boolean).join(' ')
  return (
    <div id={key} className={styles.setting} data-changed={isChanged || undefined} onInput={onInput}>
      <div>
        <label htmlFor={`${id}-control`} id={`${id}-label`}>
          {t(labelOf(key))}
        </label>
        <p id={`${id}-hint`} className={styles.about}>
          {t(`${labelOf(key)}_hint`)}
        </p>
      </div>
      <div className={styles.value}>
        <input type="hidden" name={readName(key)} value={JSON.stringify(value)} />
        <SettingField
          key={undone}
          state={state}
          values={undone > 0 ? undefined : values}
          choices={choices}
          control={{ id: `${id}-control`, 'aria-describedby': described, 'aria-invalid': error ? true : undefined }}
          labelId={`${id}-label`}
        />
        {error && !(undone > 0) && (
          <p id={`${id}-error`} className={styles.error}>
            {error}
          </p>
        )}
        {isChanged && (
          <p id={`${id}-was`} className={styles.was}>
            {t('was_before')} <bdi>{shown(key, value)}</bdi>
            {isHydrated && (
              <>
                {'. '}
                <Button look="link" onClick={undo} aria-label={t('undo_named', { name: t(labelOf(key)) })}>
                  {t('undo')}
                </Button>
              </>
            )}
          </p>
        )}
        <LastChange state={state} />
      </div>
    </div>
  )
}

/** Who changed it last and from what, and the default where it differs. */
function LastChange({
  state: { key, changed_from, updated_at, updated_by, is_default, ...state },
}: {
  state: SettingState
}) {
  const t = useT('settings')
  const shown = useShown()
  if (!updated_at && is_default) return null
  return (
    <p className={styles.about}>
      {updated_at && (
        <>
          {changed_from === undefined ? (
            t('changed')
          ) : (
            <>
              {t('changed_from')} <bdi>{shown(key, changed_from)}</bdi>
            </>
          )}{' '}
          {updated_by && (
            <>
              {t('changed_by')} <bdi>{updated_by}</bdi>
              {t('comma')}
            </>
          )}
          <Time value={updated_at} />
        </>
      )}
      {!is_default && (
        <>
          <br />
          {t('default')}: <bdi>{shown(key, state.default)}</bdi>{' '}
          <Button
            type="submit"
            form={RESET_FORM}
            look="link"
            name="reset"
            value={key}
            aria-label={t('reset_named', { name: t(labelOf(key)) })}
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
