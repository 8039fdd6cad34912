import { expect, test } from 'vitest'
import { answerHtml } from './answer-html.ts'

test.each([
  ['One.\n\nTwo.', '<p>One.</p><p>Two.</p>'],
  ['Bring:\n- a **valid** visa\n- money', '<p>Bring:</p><ul><li>a <strong>valid</strong> visa</li><li>money</li></ul>'],
  ['1. First\n2. Second', '<ol><li>First</li><li>Second</li></ol>'],
  [
    '[Support](/support) or [mail](mailto:a@b.example)',
    '<p><a href="/support">Support</a> or <a href="mailto:a@b.example">mail</a></p>',
  ],
  ['- واحد\n- [اثنان](/travel-faq#a)', '<ul><li>واحد</li><li><a href="/travel-faq#a">اثنان</a></li></ul>'],
  ['# Loud', '<p>Loud</p>'],
])('Markdown %j is %s', (markdown, html) => {
  expect(answerHtml(markdown)).toBe(html)
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<iframe src="https://evil.example"></iframe><style>*{}</style>',
  '[a](javascript:alert(1)) [b](data:text/html,x) [c](vbscript:x) [d](//evil.example) [e](/\\evil.example)',
  '[a](java\nscript:alert(1)) [b](&#106;avascript:alert(1)) ![x](https://evil.example/pixel.png)',
  '[a]: javascript:alert(1)\n\n[a] [b][a]',
  '[x](https://a.example"onmouseover="alert(1))',
  '| a |\n|---|\n| <b onclick=x>1</b> |',
  '```html\n<script>alert(1)</script>\n```',
  '<svg><a xlink:href="javascript:alert(1)">x</a></svg>',
])('of %j nothing is live', (markdown) => {
  const html = answerHtml(markdown)
  for (const [tag] of html.matchAll(/<[^>]*>/g))
    expect(tag).toMatch(
      /^<(\/?(p|ul|ol|li|a|strong|em)|br \/|a href="(https?:\/\/(?!evil)|mailto:|tel:|\/(?![/\\]))[^"]*")>$/,
    )
})
