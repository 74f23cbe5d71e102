<!-- Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 -->
<!-- Removes internal types from the documentation file. A test compares it with the assembly. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="xml" encoding="utf-8" />
  <xsl:template match="@*|node()">
    <xsl:copy>
      <xsl:apply-templates select="@*|node()" />
    </xsl:copy>
  </xsl:template>
  <xsl:template match="member[contains(@name, '.__') or contains(concat(substring(@name, 3), '.'), 'Accp.Extensions.AI.StateJson.')
    or contains(concat(substring(@name, 3), '.'), 'Accp.Extensions.AI.AccpChatHistoryState.') or contains(concat(substring(@name, 3), '.'), 'Accp.Extensions.AI.Conversations.')
    or contains(concat(substring(@name, 3), '.'), 'Accp.Extensions.AI.MessageForm.') or contains(concat(substring(@name, 3), '.'), 'Accp.Extensions.AI.MessageList.')
    or contains(concat(substring(@name, 3), '.'), 'Accp.Extensions.AI.ResolveTool.')]" />
</xsl:stylesheet>
