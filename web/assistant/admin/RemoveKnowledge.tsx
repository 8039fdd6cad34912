import { useSearchParams } from 'react-router'
import type { KnowledgeSource } from '#shared/assistant/knowledge.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { DeleteConfirmation } from '#web/ui/DeleteConfirmation.tsx'
import { addressWith } from '#web/ui/table-address.ts'

/** Deletes one page, with a link to delete its whole domain. */
export function RemovePage({ source: { id, page_title, source_domain } }: { source: KnowledgeSource }) {
  const t = useT('assistantAdmin')
  const address = useAddress()
  return (
    <DeleteConfirmation
      title={t('delete_page_title', { title: isolated(page_title) })}
      text={t('delete_pages_text')}
      fields={{ delete: id }}
      cancelTo={address({})}
      more={
        <ButtonLink look="link" to={address({ action: 'delete_domain', source: source_domain })}>
          {t('delete_domain', { domain: isolated(source_domain) })}
        </ButtonLink>
      }
    />
  )
}

export function RemoveDomain({ domain }: { domain: string }) {
  const t = useT('assistantAdmin')
  const address = useAddress()
  return (
    <DeleteConfirmation
      title={t('delete_domain_title', { domain: isolated(domain) })}
      text={t('delete_pages_text')}
      fields={{ delete_domain: domain }}
      cancelTo={address({})}
    />
  )
}

/** The same list with other query parameters. */
function useAddress() {
  const [params] = useSearchParams()
  return (changes: Record<string, string | null>) =>
    addressWith(params, { action: null, row: null, source: null, done: null, page: params.get('page'), ...changes })
}
