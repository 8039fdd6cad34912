import styles from './Outbox.module.css'

/** In the mail itself nothing runs and nothing is fetched, also if a template should ever let something in. */
const POLICY = `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'">`

/** A mail as its reader sees it, in a frame that belongs to no site; its links open a page of their own. */
export function MailFrame({ html, title }: { html: string; title: string }) {
  return (
    <iframe
      className={styles.frame}
      title={title}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={html.replace('<head>', `<head>${POLICY}`)}
    />
  )
}
