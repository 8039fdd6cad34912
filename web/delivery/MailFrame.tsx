import styles from './Outbox.module.css'

/** Nothing runs and nothing is fetched inside the email, even if a template should ever let something in. */
const POLICY = `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'">`

/** An email as its recipient sees it, in a frame with an opaque origin; its links open a new page. */
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
