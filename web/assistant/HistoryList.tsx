import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import { useScripts } from './AskForm.tsx'
import { useChat } from './ChatProvider.tsx'
import { Confirm } from './Confirm.tsx'
import { HistoryItem, taken } from './HistoryItem.tsx'
import styles from './HistoryList.module.css'
import { Sign } from './Sign.tsx'
import type { History, Listed } from './useHistory.ts'

interface Props {
  history: History
  /** Called on a selection, so that a surrounding dialog may close. */
  onChosen?: () => void
}

/** The conversations: start, search, open, rename and delete. */
export function HistoryList({ history, onChosen }: Props) {
  const t = useT('assistant')
  const { items, search, setSearch, hasFailed } = history
  const { conversation } = useChat()
  const hasScripts = useScripts()
  const begin = () => {
    history.begin()
    onChosen?.()
  }
  return (
    <div className={styles.history}>
      <form method="get" action="/ai-chat">
        <Button type="submit" className={styles.wide} onClick={taken(begin)}>
          <Sign name="plus" />
          {t('new_conversation')}
        </Button>
      </form>
      <form method="get" action="/ai-chat" className={styles.search} onSubmit={(event) => event.preventDefault()}>
        {!hasScripts && conversation.isOnServer && <input type="hidden" name="conversation" value={conversation.id} />}
        <TextField
          label={t('search_conversations')}
          isLabelHidden
          type="search"
          name="search"
          className={styles.words}
          dir="auto"
          placeholder={t('search_conversations')}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <noscript>
          <Button type="submit">{t('search_send')}</Button>
        </noscript>
      </form>
      {hasFailed && <Note kind="error" title={t('history_failed')} isLive />}
      {items.length === 0 ? (
        <p className={styles.none}>{t(search ? 'history_none_found' : 'history_none')}</p>
      ) : (
        <ul className={styles.list}>
          {items.map((item) => (
            <HistoryItem key={item.id} item={item} history={history} onChosen={onChosen} />
          ))}
        </ul>
      )}
      <ChangeOpen />
      <Where items={items} history={history} />
    </div>
  )
}

/** Without scripts the open conversation is renamed and deleted here; expanding it first serves as the confirmation. */
function ChangeOpen() {
  const t = useT('assistant')
  const { conversation } = useChat()
  const hasScripts = useScripts()
  if (hasScripts || !conversation.isOnServer) return null
  return (
    <details>
      <summary className={styles.change}>{t('change_open')}</summary>
      <form method="post" action="/ai-chat" className={styles.rename}>
        <input type="hidden" name="conversation" value={conversation.id} />
        <TextField
          label={t('rename_label')}
          name="title"
          defaultValue={conversation.title}
          maxLength={200}
          dir="auto"
        />
        <Button isSmall type="submit" name="change" value="rename">
          {t('rename_save')}
        </Button>
        <Button isSmall look="danger" type="submit" name="change" value="delete">
          {t('delete')}
        </Button>
      </form>
    </details>
  )
}

/** Where conversations are stored, and when they are deleted. */
function Where({ items, history }: { items: Listed[]; history: History }) {
  const t = useT('assistant')
  const isIn = useUser() !== null
  return (
    <>
      {!isIn && (
        <p className={styles.where}>
          <Icon name="unknown" />
          {t('saved_in_tab')}
        </p>
      )}
      {isIn && items.some(({ isLocal }) => isLocal) && (
        <p className={styles.where}>
          <Icon name="unknown" />
          {t('some_saved_here')}
        </p>
      )}
      {items.length > 0 && (
        <div className="needs-script">
          <Confirm
            title={t('clear_title')}
            text={t(isIn ? 'clear_text' : 'clear_text_local')}
            action={t('clear')}
            onConfirm={history.clear}
          >
            {(ask) => (
              <Button look="link" isSmall onClick={ask}>
                <Sign name="bin" />
                {t('clear')}
              </Button>
            )}
          </Confirm>
        </div>
      )}
    </>
  )
}
