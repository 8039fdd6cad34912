import { type KeyboardEvent, lazy, Suspense, useId, useRef, useState, useSyncExternalStore } from 'react'
import { Form, useNavigate } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { later } from '#web/lib/load-code.ts'
import { classes } from '#web/ui/classes.ts'
import { ErrorBoundary } from '#web/ui/ErrorBoundary.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './PlaceSearch.module.css'
import { addressOf } from './result-address.ts'
import { type Suggestions, useSuggestions } from './useSuggestions.ts'

/** Loaded with the first suggestions: most visitors of a page never type. */
const SuggestionList = lazy(async () => ({
  default: (await later(() => import('./SuggestionList.tsx'))).SuggestionList,
}))

/** Path of the page with the results. */
export const SEARCH_PATH = '/search'

interface Props {
  /** Id of the heading that labels the form; otherwise it has a label of its own. */
  labelledBy?: string
  search?: string
  /** On the blue band of the landing page. */
  isOnBand?: boolean
}

const neverChanges = () => () => {}

/** One field for countries, cities and churches. A plain form; suggestions need scripts. */
export function PlaceSearch({ labelledBy, search = '', isOnBand }: Props) {
  const t = useT('search')
  const id = useId()
  const combobox = useCombobox(search, `${id}-list`)
  return (
    <Form
      action={SEARCH_PATH}
      role="search"
      aria-label={t('label')}
      className={classes(styles.form, isOnBand && styles.onBand)}
      onSubmit={combobox.close}
    >
      {!labelledBy && (
        <label htmlFor={id} className={styles.label}>
          {t('label')}
        </label>
      )}
      <div className={styles.line}>
        <div className={styles.field}>
          <Icon name="search" />
          <input
            id={id}
            name="q"
            type="search"
            maxLength={100}
            autoComplete="off"
            enterKeyHint="search"
            aria-labelledby={labelledBy}
            placeholder={t('placeholder')}
            {...combobox.input}
          />
          {combobox.isOpen && combobox.found && (
            // Without it the form still searches.
            <ErrorBoundary fallback={() => null}>
              <Suspense>
                <SuggestionList {...combobox} found={combobox.found} />
              </Suspense>
            </ErrorBoundary>
          )}
          <span className="visually-hidden" role="status">
            {combobox.isOpen && t('suggestions_count', { count: combobox.found?.results.length ?? 0 })}
          </span>
        </div>
        <button type="submit">{t('button')}</button>
      </div>
    </Form>
  )
}

/** Where each option leads: the suggestions, and last the page with everything. */
const targetsOf = (found: Suggestions | null): string[] =>
  found ? [...found.results.map(addressOf), `${SEARCH_PATH}?${new URLSearchParams({ q: found.search })}`] : []

/** State and keys of the suggestions (WAI-ARIA combobox with a listbox). */
function useCombobox(search: string, listId: string) {
  const navigate = useNavigate()
  const isAlive = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  const isEdited = useRef(false)
  const [text, setText] = useState(search)
  const [active, setActive] = useState(-1)
  const [isWanted, setWanted] = useState(false)
  const found = useSuggestions(isEdited.current ? text : '')
  const targets = targetsOf(found)
  const isOpen = isWanted && found !== null
  const close = () => {
    setWanted(false)
    setActive(-1)
  }
  const choose = (index: number) => {
    close()
    const to = targets[index]
    if (to) void navigate(to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) close()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setWanted(true)
      if (isOpen) setActive(step(active, event.key === 'ArrowDown' ? 1 : -1, targets.length))
    } else if (event.key === 'Enter' && isOpen && targets[active]) choose(active)
    else return
    event.preventDefault()
  }
  const input = {
    defaultValue: search,
    onKeyDown,
    onBlur: close,
    onInput: (event: { currentTarget: HTMLInputElement }) => {
      isEdited.current = true
      setText(event.currentTarget.value)
      setActive(-1)
      setWanted(true)
    },
    // Without scripts the field is no combobox and must not have the role.
    ...(isAlive && {
      role: 'combobox',
      'aria-expanded': isOpen,
      'aria-controls': listId,
      'aria-autocomplete': 'list' as const,
      'aria-activedescendant': isOpen && active >= 0 ? `${listId}-${active}` : undefined,
    }),
  }
  return { input, listId, found, isOpen, active, choose, close }
}

/** Moves by one, from the last option back to the field (-1) and from the field to either end. */
function step(active: number, by: number, count: number): number {
  return ((active + 1 + by + count + 1) % (count + 1)) - 1
}
