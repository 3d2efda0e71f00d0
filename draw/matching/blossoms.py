"""Odd circles of a matching, one inside the other: the bookkeeping of Edmonds' blossoms.

A node below `size` is a vertex, from `size` on a blossom: an odd circle of smaller nodes in which every second link is
matched, all but one node, its base. A path that enters a blossom at any vertex can leave it at the base, so a search may
treat it as one node.
"""

from __future__ import annotations

NOBODY = -1
Link = tuple[int, int]


class BlossomNest:
    """The nesting of blossoms, and the partner of each vertex."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.mate = [NOBODY] * size
        # The outermost node around a vertex, the next one around a node, and each node's base vertex.
        self.top = list(range(size))
        self.around = [NOBODY] * (2 * size)
        self.base: list[int] = [*range(size), *([NOBODY] * size)]
        # A blossom's nodes in a circle, beginning with its base; link k joins node k to the next.
        self.kids: list[list[int]] = [[] for _ in range(2 * size)]
        self.links: list[list[Link]] = [[] for _ in range(2 * size)]
        self._spare = list(range(2 * size - 1, size - 1, -1))

    def vertices(self, node: int) -> list[int]:
        if node < self.size:
            return [node]
        found: list[int] = []
        stack = [node]
        while stack:
            inside = stack.pop()
            if inside < self.size:
                found.append(inside)
            else:
                stack.extend(self.kids[inside])
        return found

    def exists(self, node: int) -> bool:
        """True if the node is a vertex or an undissolved blossom."""
        return self.base[node] != NOBODY

    def close(self, kids: list[int], links: list[Link]) -> int:
        """Create a blossom from a circle of outermost nodes, the first of which is its base; return it."""
        blossom = self._spare.pop()
        self.kids[blossom], self.links[blossom] = kids, links
        self.base[blossom] = self.base[kids[0]]
        self.around[blossom] = NOBODY
        for kid in kids:
            self.around[kid] = blossom
            for vertex in self.vertices(kid):
                self.top[vertex] = blossom
        return blossom

    def dissolve(self, blossom: int) -> tuple[list[int], list[Link]]:
        """Dissolve an outermost blossom; return its circle."""
        kids, links = self.kids[blossom], self.links[blossom]
        for kid in kids:
            self.around[kid] = NOBODY
            for vertex in self.vertices(kid):
                self.top[vertex] = kid
        self.kids[blossom], self.links[blossom], self.base[blossom] = [], [], NOBODY
        self._spare.append(blossom)
        return kids, links

    def rebase(self, node: int, vertex: int) -> None:
        """Rematch inside a node so that *vertex* becomes its base."""
        todo = [(node, vertex)]
        while todo:
            outer, entry = todo.pop()
            inner = entry
            while inner != outer:
                blossom = self.around[inner]
                todo.extend(self._rotate_circle(blossom, inner))
                self.base[blossom] = entry
                inner = blossom

    def _rotate_circle(self, blossom: int, kid: int) -> list[tuple[int, int]]:
        """Rotate the circle to begin with *kid*, and match the other nodes in twos.

        Return the nodes that are matched by another link than before, each with the vertex of that link.
        """
        kids, links = self.kids[blossom], self.links[blossom]
        at = kids.index(kid)
        # Links 1, 3, 5 ... are matched, also after the rotation.
        kids[:], links[:] = kids[at:] + kids[:at], links[at:] + links[:at]
        entered: list[tuple[int, int]] = []
        for number in range(1, len(kids), 2):
            left, right = links[number]
            if self.mate[left] != right or self.mate[right] != left:
                entered += [(kids[number], left), (kids[number + 1], right)]
                self.mate[left], self.mate[right] = right, left
        return entered
