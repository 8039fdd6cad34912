/** A bounce report of a mail server (RFC 3464). */
export function bounceReport({ messageId, action, status }: { messageId: string; action: string; status: string }) {
  return report('delivery-status', messageId, [
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.church.example',
    'Arrival-Date: Sat, 21 Nov 2026 19:00:00 +0000',
    '',
    'Final-Recipient: rfc822; ana@example.org',
    `Action: ${action}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 No such user',
    ' "ana"',
    '',
  ])
}

/** A provider's complaint report about unwanted mail (RFC 5965). */
export const complaintReport = (messageId: string) =>
  report('feedback-report', messageId, [
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    '',
  ])

const report = (type: string, messageId: string, part: string[]) =>
  [
    'From: Mail Delivery System <MAILER-DAEMON@mail.church.example>',
    'To: portal@church.example',
    'Subject: Undelivered Mail Returned to Sender',
    'Message-ID: <other@mail.church.example>',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="B"`,
    '',
    '--B',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This is the mail system.',
    '',
    '--B',
    ...part,
    '--B',
    'Content-Type: message/rfc822',
    '',
    'From: MFA <portal@church.example>',
    'To: <ana@example.org>',
    `Message-ID: ${messageId}`,
    'Subject: Leave Peru',
    '',
    'Flights end tonight.',
    '',
    '--B--',
    '',
  ].join('\r\n')
