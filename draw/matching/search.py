"""The cheapest perfect matching of a graph, exactly, for costs of any size.

Every vertex has a price, every blossom a rebate; no edge costs less than its ends are worth, and a matched edge
costs exactly that. Such prices prove that no other perfect matching is cheaper, and they say which edges that
were left out of the graph could matter. The search raises the prices around all free vertices at one pace, as if
by a clock, and lets alternating trees grow along the edges that become exact (Edmonds 1965; one event queue as in
Galil, Micali and Gabow 1986). P60 says why this is written here and not taken from a library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from heapq import heappop, heappush

from draw.matching.blossoms import NOBODY, BlossomNest, Link

Pair = tuple[int, int]
Edge = tuple[int, int, int]

# Costs are counted in quarters: prices then stay whole numbers through every halving.
QUARTERS = 4


class Role(IntEnum):
    """A node's role in the search: outer nodes look for partners, inner ones are passed through."""

    IDLE = 0
    OUTER = 1
    INNER = 2


IDLE, OUTER, INNER = Role.IDLE, Role.OUTER, Role.INNER


@dataclass(frozen=True, slots=True)
class Matching:
    """A cheapest perfect matching and the prices that prove it."""

    mates: tuple[int, ...]
    prices: tuple[int, ...]
    # For each vertex, from the outermost inwards: the blossoms with a rebate, and the rebate.
    shells: tuple[tuple[tuple[int, int], ...], ...]

    def slack(self, a: int, b: int, cost: int) -> int:
        """Return the cost of an edge minus the worth of its ends, in quarters.

        An edge below zero is missing in the graph.
        """
        worth = self.prices[a] + self.prices[b]
        for one, other in zip(self.shells[a], self.shells[b], strict=False):
            if one != other:
                break
            worth -= one[1]
        return QUARTERS * cost - worth


class NoMatching(ValueError):
    """The graph has no perfect matching."""


def find_cheapest(size: int, edges: Sequence[Edge]) -> Matching:
    """Find a perfect matching of least cost.

    >>> find_cheapest(4, [(0, 1, 1), (1, 2, 0), (2, 3, 5), (0, 3, 5)]).mates
    (3, 2, 1, 0)
    """
    search = _Search(size, edges)
    if not search.run():
        raise NoMatching
    return search.result()


class _Search:
    """The state of one search. "Time" in the comments is how far prices have moved."""

    def __init__(self, size: int, edges: Sequence[Edge]) -> None:
        self.nest = BlossomNest(size)
        self.ends: list[Link] = [(a, b) for a, b, _ in edges]
        self.cost = [QUARTERS * cost for _, _, cost in edges]
        self.edges_of: list[list[Link]] = [[] for _ in range(size)]  # (other end, edge)
        for edge, (a, b) in enumerate(self.ends):
            self.edges_of[a].append((b, edge))
            self.edges_of[b].append((a, edge))
        self.now = 0
        self.price = [0] * size  # at the last role change of the outermost node
        self.rebate = [0] * (2 * size)
        self.role = [IDLE] * (2 * size)
        self.since = [0] * (2 * size)
        self.root = [NOBODY] * (2 * size)
        self.entry: list[Link] = [(NOBODY, NOBODY)] * (2 * size)  # of an inner node: (outside, inside)
        self.trees: dict[int, list[int]] = {}
        # (time, edge) or (time, -blossom): a possible event, checked again at that time.
        self.events: list[tuple[int, int]] = []

    # Running

    def run(self) -> bool:
        """Search until all vertices are matched; False if that is impossible."""
        if self.nest.size % 2 or not self._set_initial_prices():
            return False
        free = [vertex for vertex, mate in enumerate(self.nest.mate) if mate == NOBODY]
        for vertex in free:
            self.trees[vertex] = []
            self._join_tree(vertex, OUTER, vertex)
        for vertex in free:
            self._schedule_edges(vertex, [vertex])
        while self.trees:
            if not self.events:
                return False
            self.now, item = heappop(self.events)
            if item < 0:
                self._dissolve_blossom(-item)
            else:
                self._handle_edge(item)
        return True

    def _set_initial_prices(self) -> bool:
        """Set prices that make one edge at each vertex exact; match along exact edges greedily."""
        price, cost, mate = self.price, self.cost, self.nest.mate
        if not all(self.edges_of):
            return False
        for vertex, edges in enumerate(self.edges_of):
            price[vertex] = min(cost[edge] for _, edge in edges) // 2
        for vertex, edges in enumerate(self.edges_of):
            price[vertex] = min(cost[edge] - price[other] for other, edge in edges)
        for vertex, edges in enumerate(self.edges_of):
            if mate[vertex] != NOBODY:
                continue
            for other, edge in edges:
                if mate[other] == NOBODY and cost[edge] == price[vertex] + price[other]:
                    mate[vertex], mate[other] = other, vertex
                    break
        return True

    def result(self) -> Matching:
        """Collect the result; all nodes are idle by now, so the prices are settled."""
        nest = self.nest
        shells: list[tuple[tuple[int, int], ...]] = []
        for vertex in range(nest.size):
            shell: list[tuple[int, int]] = []
            node = nest.around[vertex]
            while node != NOBODY:
                if self.rebate[node]:
                    shell.append((node, self.rebate[node]))
                node = nest.around[node]
            shells.append(tuple(reversed(shell)))
        return Matching(tuple(nest.mate), tuple(self.price), tuple(shells))

    # Prices

    def _settle_prices(self, node: int) -> None:
        """Apply the price changes of an outermost node since its last role change."""
        passed = self.now - self.since[node]
        self.since[node] = self.now
        role = self.role[node]
        if passed and role:
            change = passed if role is OUTER else -passed
            for vertex in self.nest.vertices(node):
                self.price[vertex] += change
            self.rebate[node] += 2 * change

    def _compute_worth(self, vertex: int) -> int:
        """Return the current price of an idle or outer vertex."""
        node = self.nest.top[vertex]
        risen = self.now - self.since[node] if self.role[node] is OUTER else 0
        return self.price[vertex] + risen

    def _schedule_edges(self, node: int, vertices: list[int]) -> None:
        """Schedule the times at which the edges of an outer node's vertices become exact."""
        top, role, since, price, cost = self.nest.top, self.role, self.since, self.price, self.cost
        now, events = self.now, self.events
        for vertex in vertices:
            own = self._compute_worth(vertex)
            for other, edge in self.edges_of[vertex]:
                there = top[other]
                what = role[there]
                if there == node or what is INNER:
                    continue
                left = cost[edge] - own - price[other]
                if what is OUTER:  # both ends rise
                    left = (left - now + since[there]) // 2
                heappush(events, (now + left, edge))

    def _schedule_edges_to(self, vertex: int) -> None:
        """Schedule the edges from outer nodes to a vertex that has become idle."""
        for other, edge in self.edges_of[vertex]:
            if self.role[self.nest.top[other]] is OUTER:
                heappush(self.events, (self.now + self._compute_slack(edge), edge))

    def _compute_slack(self, edge: int) -> int:
        a, b = self.ends[edge]
        return self.cost[edge] - self._compute_worth(a) - self._compute_worth(b)

    # Events

    def _handle_edge(self, edge: int) -> None:
        """Grow a tree, close a circle or join two trees by an edge, if it has become exact."""
        a, b = self.ends[edge]
        node_a, node_b = self.nest.top[a], self.nest.top[b]
        roles = (self.role[node_a], self.role[node_b])
        if node_a == node_b or OUTER not in roles or INNER in roles:
            return
        slack = self._compute_slack(edge)
        if roles == (OUTER, OUTER):
            if slack:
                heappush(self.events, (self.now + slack // 2, edge))
            elif self.root[node_a] == self.root[node_b]:
                self._shrink_circle(a, b)
            else:
                self._augment_path(a, b)
        elif slack:
            heappush(self.events, (self.now + slack, edge))
        elif roles[0] is OUTER:
            self._grow_tree(a, b)
        else:
            self._grow_tree(b, a)

    def _join_tree(self, node: int, role: Role, root: int) -> None:
        """Give an outermost node its role in a tree."""
        self._settle_prices(node)
        self.role[node], self.root[node] = role, root
        self.trees[root].append(node)
        if role is INNER and node >= self.nest.size:
            heappush(self.events, (self.now + self.rebate[node] // 2, -node))

    def _grow_tree(self, outside: int, vertex: int) -> None:
        """Add an idle node and its partner to the tree."""
        nest = self.nest
        root = self.root[nest.top[outside]]
        inner = nest.top[vertex]
        self.entry[inner] = (outside, vertex)
        self._join_tree(inner, INNER, root)
        outer = nest.top[nest.mate[nest.base[inner]]]
        self._join_tree(outer, OUTER, root)
        self._schedule_edges(outer, nest.vertices(outer))

    def _find_steps_up(self, outer: int) -> tuple[Link, int, Link, int]:
        """Return the two steps from a node towards its root: (link, inner node, link, outer node)."""
        nest = self.nest
        base = nest.base[outer]
        mate = nest.mate[base]
        inner = nest.top[mate]
        outside, inside = self.entry[inner]
        return (base, mate), inner, (inside, outside), nest.top[outside]

    def _shrink_circle(self, a: int, b: int) -> None:
        """Make a blossom of the odd circle that an edge inside a tree closes."""
        nest = self.nest
        meeting = self._find_meeting(nest.top[a], nest.top[b])
        kids_a, links_a = self._find_path(nest.top[a], meeting)
        kids_b, links_b = self._find_path(nest.top[b], meeting)
        kids = [meeting, *reversed(kids_a), *kids_b]
        links = [(far, near) for near, far in reversed(links_a)]
        links += [(a, b), *links_b]
        fresh: list[int] = []  # vertices of inner nodes, which become outer
        for kid in kids:
            self._settle_prices(kid)
            if self.role[kid] is INNER:
                fresh += nest.vertices(kid)
        blossom = nest.close(kids, links)
        self.rebate[blossom], self.role[blossom] = 0, IDLE
        self._join_tree(blossom, OUTER, self.root[meeting])
        self._schedule_edges(blossom, fresh)

    def _find_meeting(self, a: int, b: int) -> int:
        """Find the outer node where the paths from two outer nodes to their root meet."""
        seen: set[int] = set()
        here, other = a, b
        while True:
            if here != NOBODY:
                if here in seen:
                    return here
                seen.add(here)
                is_root = self.nest.mate[self.nest.base[here]] == NOBODY
                here = NOBODY if is_root else self._find_steps_up(here)[3]
            here, other = other, here

    def _find_path(self, outer: int, end: int) -> tuple[list[int], list[Link]]:
        """Return the nodes from *outer* up to *end*, without it, and the links between them."""
        kids: list[int] = []
        links: list[Link] = []
        while outer != end:
            to_inner, inner, to_outer, above = self._find_steps_up(outer)
            kids += [outer, inner]
            links += [to_inner, to_outer]
            outer = above
        return kids, links

    def _augment_path(self, a: int, b: int) -> None:
        """Join two trees by an exact edge.

        The path between their roots flips its partners, and the two free roots become matched.
        """
        nest = self.nest
        roots = (self.root[nest.top[a]], self.root[nest.top[b]])
        for start, partner in ((a, b), (b, a)):
            self._flip_path(start, partner)
        idle: list[int] = []
        for root in roots:
            for node in self.trees.pop(root):
                # A node that left this tree with a dissolved blossom may be in another by now.
                if (
                    nest.exists(node)
                    and nest.around[node] == NOBODY
                    and self.role[node]
                    and self.root[node] == root
                ):
                    self._settle_prices(node)
                    self.role[node] = IDLE
                    idle.append(node)
        for node in idle:
            for vertex in nest.vertices(node):
                self._schedule_edges_to(vertex)

    def _flip_path(self, vertex: int, partner: int) -> None:
        """Exchange partners along the path from an outer vertex to its root."""
        nest = self.nest
        while True:
            outer = nest.top[vertex]
            left = nest.mate[nest.base[outer]]
            nest.rebase(outer, vertex)
            nest.mate[vertex] = partner
            if left == NOBODY:
                return
            inner = nest.top[left]
            outside, inside = self.entry[inner]
            nest.rebase(inner, inside)
            nest.mate[inside] = outside
            vertex, partner = outside, inside

    def _dissolve_blossom(self, blossom: int) -> None:
        """Dissolve an inner blossom if its rebate is used up."""
        nest = self.nest
        if not nest.exists(blossom) or nest.around[blossom] != NOBODY or self.role[blossom] is not INNER:
            return
        self._settle_prices(blossom)
        if self.rebate[blossom]:
            return
        entry, root = self.entry[blossom], self.root[blossom]
        self.role[blossom] = IDLE
        kids, links = nest.dissolve(blossom)
        for kid in kids:
            self.role[kid], self.since[kid] = IDLE, self.now
        for kid in self._assign_roles(kids, links, entry, root):
            self._schedule_edges(kid, nest.vertices(kid))
        for kid in kids:
            if self.role[kid] is IDLE:
                for vertex in nest.vertices(kid):
                    self._schedule_edges_to(vertex)

    def _assign_roles(self, kids: list[int], links: list[Link], entry: Link, root: int) -> list[int]:
        """Give the kids on the even path from the entrance to the base their roles; return the outer ones."""
        at = kids.index(self.nest.top[entry[1]])
        step = 1 if at % 2 else -1
        outer: list[int] = []
        while True:
            self.entry[kids[at]] = entry
            self._join_tree(kids[at], INNER, root)
            if at == 0:
                return outer
            middle = (at + step) % len(kids)
            self._join_tree(kids[middle], OUTER, root)
            outer.append(kids[middle])
            at = (middle + step) % len(kids)
            entry = links[middle] if step == 1 else (links[at][1], links[at][0])
