import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './PickField.module.css'

/** An entry of the audience: the field it belongs to, its value and what the user reads. */
export interface Pick {
  name: string
  value: string
  label: string
}

interface Props {
  label: string
  hint?: ReactNode
  /** Everything that can be chosen from lists. People are found on the server. */
  options: readonly Pick[]
  chosen: readonly Pick[]
  error: ReactNode
  placeholder?: string
  /** The last action was a search: the next one goes on here. */
  isFocused?: boolean
  /** Text in the search field: what the server could not find. */
  search?: string | undefined
  /** An entry was added or removed. */
  onChange: () => void
}

/**
 * The audience as chips, with one search field. Each chip is a ticked box: without scripts it is unticked to remove it,
 * and the button beside the search adds an entry.
 */
export function PickField({ label, hint, options, chosen: initial, error, search, onChange, ...look }: Props) {
  const t = useT('compose')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState(initial)
  // The count reads the form, so it follows after the boxes have changed.
  const isFirst = useRef(true)
  const changed = useEffectEvent(onChange)
  useEffect(() => {
    if (!isFirst.current) changed()
    isFirst.current = false
  }, [])

  const { isFocused } = look
  useEffect(() => {
    if (isFocused) input.current?.focus()
  }, [isFocused])

  /** Adds the option with exactly this label; false if there is none. */
  function add(text: string): boolean {
    const found = options.find((option) => option.label.toLowerCase() === text.trim().toLowerCase())
    if (!found || !input.current) return false
    if (!chosen.some((one) => isSame(one, found))) setChosen([...chosen, found])
    input.current.value = ''
    input.current.focus()
    return true
  }

  function remove(pick: Pick) {
    setChosen(chosen.filter((one) => !isSame(one, pick)))
    input.current?.focus()
  }

  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.box}>
        {chosen.map((pick) => (
          <label key={`${pick.name} ${pick.value}`} className={styles.chip}>
            <input
              type="checkbox"
              name={pick.name}
              value={pick.value}
              defaultChecked
              onChange={(event) => !event.target.checked && remove(pick)}
            />
            <bdi>{pick.label}</bdi>
            <Icon name="close" />
          </label>
        ))}
        <input
          ref={input}
          id={id}
          className={styles.search}
          name="add"
          list={`${id}-options`}
          autoComplete="off"
          maxLength={200}
          defaultValue={search}
          placeholder={look.placeholder ?? t('pick_placeholder')}
          aria-describedby={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined}
          aria-invalid={error ? true : undefined}
          onInput={(event) => {
            // A choice from the list of suggestions arrives as one input without a typed character.
            const { inputType } = event.nativeEvent as InputEvent
            if (inputType === undefined || inputType === 'insertReplacementText') add(event.currentTarget.value)
          }}
          onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
            if (event.key === 'Enter' && add(event.currentTarget.value)) event.preventDefault()
          }}
        />
        <Button
          type="submit"
          name="intent"
          value="add"
          isSmall
          onClick={(event) => {
            if (input.current && add(input.current.value)) event.preventDefault()
          }}
        >
          {t('pick_add')}
        </Button>
        <datalist id={`${id}-options`}>
          {options
            .filter((option) => !chosen.some((one) => isSame(one, option)))
            .map(({ name, value, label }) => (
              <option key={`${name} ${value}`} value={label} />
            ))}
        </datalist>
      </div>
      {hint && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      {error && (
        <div id={`${id}-error`} className={styles.error}>
          {error}
        </div>
      )}
    </div>
  )
}

const isSame = (a: Pick, b: Pick) => a.name === b.name && a.value === b.value
