// Open issues of a repository that nobody has touched for some days, oldest first.
//   capstan --demo exec examples/code/stale.ts --intent "find stale issues" owner=acme repo=rocket days=30

interface Row {
  number: number;
  title: string;
  days: number;
}

const { owner = "acme", repo = "rocket", days = 30, today = "2026-06-01" } = args;
const now = Date.parse(today);
const rows: Row[] = [];

let after: string | undefined;
do {
  const page = await capstan.issue.list({ owner, repo, first: 50, after });
  for (const issue of page.issues) {
    const quiet = Math.floor((now - Date.parse(issue.updated_at)) / 86_400_000);
    if (quiet >= days) rows.push({ number: issue.number, title: issue.title, days: quiet });
  }
  after = page.$meta?.pagination?.end_cursor;
} while (after);

return rows.sort((one, other) => other.days - one.days);
