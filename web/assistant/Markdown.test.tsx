import { describe, expect, test } from 'vitest'
import { markupOf, textOf } from '#web/advisories/markup.tsx'
import { Markdown } from './Markdown.tsx'

const cite = (n: number) => (n === 1 ? <a href="#source-1">[1]</a> : undefined)
const markup = (text: string, isUnfinished = false) =>
  markupOf(
    <Markdown isUnfinished={isUnfinished} cite={cite}>
      {text}
    </Markdown>,
  )

describe('the text of an answer', () => {
  test('renders lists, bold text and links', () => {
    const html = markup('**Bring:**\n\n1. a passport\n2. a [contract](https://www.dmw.gov.ph/ "x")')
    expect(html).toContain('<strong>Bring:</strong>')
    expect(html.match(/<li>/g)).toHaveLength(2)
    expect(html).toContain('href="https://www.dmw.gov.ph/" rel="noopener noreferrer"')
  })

  test('links a number to its source, and only if it exists', () => {
    const html = markup('It is required. [1] Really. [7]')
    expect(html).toContain('<sup><a href="#source-1">[1]</a></sup>')
    expect(html).toContain('<sup>[7]</sup>')
  })

  test('does not start a page heading', () => {
    expect(markup('# Loud\n\n## Louder')).not.toMatch(/<h\d/)
  })

  test('hides unclosed marks', () => {
    expect(textOf(markup('It is **always requ', true))).toBe('It is always requ')
  })
})

describe('untrusted content', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe src="https://evil.example"></iframe>',
    '<style>*{display:none}</style>',
    '<form action="https://evil.example"><input name=a></form>',
    '<div onclick="alert(1)" style="position:fixed">x</div>',
    'text <b onmouseover=alert(1)>b</b>',
    '![x](https://evil.example/pixel.png)',
    '![x](javascript:alert(1))',
    '[x](javascript:alert(1))',
    '[x](JAVASCRIPT:alert(1))',
    '[x](java&#10;script:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](//evil.example)',
    '[x]: javascript:alert(1)\n\n[x]',
    '<javascript:alert(1)>',
    'https://evil.example',
    '| a |\n|---|\n| <script>alert(1)</script> |',
    '```html\n<script>alert(1)</script>\n```',
    '---\ntitle: <script>alert(1)</script>\n---\ntext',
    '<Link to="javascript:alert(1)">x</Link>',
  ])('is rendered as plain text: %s', (text) => {
    const html = markup(text)
    expect(html).not.toMatch(/<(script|img|svg|iframe|style|form|input|div [^>]*on|b |link)/i)
    expect(html).not.toMatch(/(href|src)="(?!#source)/i)
  })
})
