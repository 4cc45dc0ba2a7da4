// The open pull requests of a repository by how ready they are. The views leave as one request.
//   capstan --demo exec examples/code/merge-states.ts --intent "pull requests by merge state"

const { owner = "acme", repo = "rocket", first = 20 } = args;
const { pull_requests } = await capstan.pr.list({ owner, repo, first });

const views = await Promise.all(
  pull_requests.map((pr: { number: number }) =>
    capstan.pr.view({ owner, repo, pr_number: pr.number }),
  ),
);

const states: Record<string, number[]> = {};
for (const pr of views) {
  (states[pr.merge_state ?? "unknown"] ??= []).push(pr.number);
}
return states;
