import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { useChat } from './ChatProvider.tsx'
import { Confirm } from './Confirm.tsx'
import styles from './HistoryList.module.css'
import { Sign } from './Sign.tsx'
import type { History, Listed } from './useHistory.ts'

/** Handled by click with scripts, by the form without. */
export const taken = (run: () => void) => (event: { preventDefault: () => void }) => {
  event.preventDefault()
  run()
}

interface Props {
  item: Listed
  history: History
  onChosen: (() => void) | undefined
}

/** One conversation: open, rename and delete. */
export function HistoryItem({ item, history, onChosen }: Props) {
  const t = useT('assistant')
  const { conversation } = useChat()
  const [isRenaming, setRenaming] = useState(false)
  const { id, title, isLocal } = item
  const open = () => {
    history.open(id)
    onChosen?.()
  }
  if (isRenaming) return <Rename item={item} history={history} onDone={() => setRenaming(false)} />
  return (
    <li className={styles.item} data-current={id === conversation.id ? '' : undefined}>
      <a
        className={styles.open}
        href={`/ai-chat?conversation=${id}`}
        aria-current={id === conversation.id ? 'true' : undefined}
        onClick={taken(open)}
      >
        <bdi>{title}</bdi>
        {isLocal && <span className="visually-hidden">{t('only_here')}</span>}
      </a>
      <span className={`${styles.tools} needs-script`}>
        <Tool label={t('rename_named', { title })} onClick={() => setRenaming(true)}>
          <Sign name="pencil" />
        </Tool>
        <Confirm
          title={t('delete_title')}
          text={t(isLocal ? 'delete_text_local' : 'delete_text')}
          action={t('delete')}
          onConfirm={() => history.remove(id)}
        >
          {(ask) => (
            <Tool label={t('delete_named', { title })} onClick={ask}>
              <Sign name="bin" />
            </Tool>
          )}
        </Confirm>
      </span>
    </li>
  )
}

function Tool({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.tool} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  )
}

function Rename({ item, history, onDone }: { item: Listed; history: History; onDone: () => void }) {
  const t = useT('assistant')
  const field = useRef<HTMLInputElement>(null)
  function submit(event: FormEvent) {
    event.preventDefault()
    const title = field.current?.value.trim() ?? ''
    if (title !== '' && title !== item.title) history.rename(item.id, title)
    onDone()
  }
  return (
    <li className={styles.item}>
      <form className={styles.rename} onSubmit={submit} onKeyDown={({ key }) => key === 'Escape' && onDone()}>
        <TextField
          ref={field}
          label={t('rename_label')}
          isLabelHidden
          defaultValue={item.title}
          maxLength={200}
          dir="auto"
          autoFocus
        />
        <Button isSmall type="submit">
          {t('rename_save')}
        </Button>
      </form>
    </li>
  )
}
