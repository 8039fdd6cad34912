import { type KeyboardEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { Form, useNavigate } from 'react-router'
import { nameOfCountry } from '#shared/countries/country.ts'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './CountrySearch.module.css'
import { type Suggestion, useSuggestions } from './useSuggestions.ts'

interface Props {
  /** Id of the heading that labels the form; otherwise it has a label of its own. */
  labelledBy?: string
  search?: string
  /** On the blue band of the landing page. */
  isOnBand?: boolean
}

const neverChanges = () => () => {}

/** A plain form that leads to the list of countries or straight to an exact match; suggestions need scripts. */
export function CountrySearch({ labelledBy, search = '', isOnBand }: Props) {
  const t = useT('countries')
  const id = useId()
  const combobox = useCombobox(search, `${id}-list`)
  return (
    <Form
      action="/countries"
      role="search"
      className={classes(styles.form, isOnBand && styles.onBand)}
      onSubmit={combobox.close}
    >
      {!labelledBy && (
        <label htmlFor={id} className={styles.label}>
          {t('search_label')}
        </label>
      )}
      <div className={styles.line}>
        <div className={styles.field}>
          <Icon name="search" />
          <input
            id={id}
            name="search"
            type="search"
            maxLength={100}
            autoComplete="off"
            aria-labelledby={labelledBy}
            placeholder={t('search_placeholder')}
            {...combobox.input}
          />
          <Suggestions {...combobox} />
        </div>
        <button type="submit">{t(isOnBand ? 'search_button' : 'search_short_button')}</button>
      </div>
    </Form>
  )
}

type Combobox = ReturnType<typeof useCombobox>

function Suggestions({ listId, options, isOpen, active, choose }: Combobox) {
  const t = useT('countries')
  const language = useLanguage()
  return (
    <>
      <div id={listId} role="listbox" aria-label={t('suggestions_label')} className={styles.list} hidden={!isOpen}>
        {isOpen &&
          options.map((country, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the field, which keeps the focus
            <div
              key={country.code}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              // Runs before the field loses the focus, and with it the list.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(country)}
            >
              <span>
                {country.isGuess && `${t('did_you_mean')} `}
                <bdi>{nameOfCountry(country, language)}</bdi>
                {country.isGuess && t('question_mark')}
              </span>
              {country.severity_level && <SeverityTag severity={country.severity_level} isPulsing={false} />}
            </div>
          ))}
      </div>
      <span className="visually-hidden" role="status">
        {isOpen && t('suggestions_count', { count: options.length })}
      </span>
    </>
  )
}

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
  const options = useSuggestions(isEdited.current ? text : '') ?? []
  const isOpen = isWanted && options.length > 0
  const close = () => {
    setWanted(false)
    setActive(-1)
  }
  const choose = ({ code }: Suggestion) => {
    close()
    void navigate(`/countries/${code}`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) close()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setWanted(true)
      if (isOpen) setActive(step(active, event.key === 'ArrowDown' ? 1 : -1, options.length))
    } else if (event.key === 'Enter' && isOpen && options[active]) choose(options[active])
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
  return { input, listId, options, isOpen, active, choose, close }
}

/** Moves by one, from the last option back to the field (-1) and from the field to either end. */
function step(active: number, by: number, count: number): number {
  return ((active + 1 + by + count + 1) % (count + 1)) - 1
}
