import { useSearchParams } from 'react-router'
import type { KnowledgeSource } from '#shared/assistant/knowledge.ts'
import { isolated } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Form, Submit } from '../../ui/Form.tsx'
import { Note } from '../../ui/Note.tsx'
import { addressWith } from '../../ui/tableAddress.ts'
import styles from './Admin.module.css'

type Props = { source: KnowledgeSource; domain?: undefined } | { source?: undefined; domain: string }

/** Says what goes, one page or all of a domain, and waits for a yes. */
export function RemoveKnowledge({ source, domain }: Props) {
  const t = useT('assistantAdmin')
  const [params] = useSearchParams()
  const address = (changes: Record<string, string | null>) =>
    addressWith(params, { action: null, row: null, source: null, done: null, page: params.get('page'), ...changes })
  return (
    <div className={styles.done}>
      <Note
        heading="h2"
        kind="unknown"
        title={
          source
            ? t('delete_page_title', { title: isolated(source.page_title) })
            : t('delete_domain_title', { domain: isolated(domain) })
        }
      >
        <p>{t('delete_pages_text')}</p>
        <Form>
          <input type="hidden" name={source ? 'delete' : 'delete_domain'} value={source ? source.id : domain} />
          <div className={styles.buttons}>
            <Submit look="danger">{t('delete')}</Submit>
            <ButtonLink to={address({})}>{t('cancel')}</ButtonLink>
            {source && (
              <ButtonLink look="link" to={address({ action: 'delete_domain', source: source.source_domain })}>
                {t('delete_domain', { domain: isolated(source.source_domain) })}
              </ButtonLink>
            )}
          </div>
        </Form>
      </Note>
    </div>
  )
}
